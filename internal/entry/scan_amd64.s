//go:build !purego

#include "go_asm.h"
#include "textflag.h"

// All loops read blocks of 64 bytes, into Y0 and Y1 if they ask more than one question, and
// turn each question about these bytes into a mask: bit n is the answer for byte n. A few
// operations on 64-bit words then answer the question for the block. A loop ends when fewer
// than 64 bytes are left, so it reads nothing after the end of its slice. scan.go and
// grammar.go hold the same rules in Go, and FuzzVectorsAgree compares both.
//
// Besides their results, BITS, EQUAL and CONTROLS change DX, the last two also Y2 and Y3, and
// FOREIGN changes Y4.

// BITS sets out to the mask of the bytes of Y2 and Y3 that are 0xff; the others are 0.
#define BITS(out) \
	VPMOVMSKB Y2, out; \
	VPMOVMSKB Y3, DX; \
	SHLQ $32, DX; \
	ORQ DX, out

// EQUAL sets out to the mask of the bytes that are c, a register that holds one byte 32
// times.
#define EQUAL(c, out) \
	VPCMPEQB c, Y0, Y2; \
	VPCMPEQB c, Y1, Y3; \
	BITS(out)

// CONTROLS sets out to the mask of the control characters: the bytes that are not above
// 0x1f, the bytes of Y13.
#define CONTROLS(out) \
	VPMINUB Y13, Y0, Y2; \
	VPMINUB Y13, Y1, Y3; \
	VPCMPEQB Y0, Y2, Y2; \
	VPCMPEQB Y1, Y3, Y3; \
	BITS(out)

// LISTED makes the bytes of out 0xff where those of in are in a list. Entry n of the list
// is the one byte in it that ends in the hexadecimal digit n, or 0xff if there is none.
// VPSHUFB looks up 0 for a byte above 0x7f, which makes it unequal.
#define LISTED(list, in, out) \
	VPSHUFB in, list, out; \
	VPCMPEQB in, out, out

// FOREIGN makes the bytes of out 0xff where those of in are not in a set. The set is a pair
// of tables, by the last digit and by the first: a byte is in the set if its two entries
// have a bit in common. Y5 is zero, and Y6 is 0x0f 32 times.
#define FOREIGN(last, first, in, out) \
	VPSRLW $4, in, out; \
	VPAND Y6, out, out; \
	VPSHUFB out, first, out; \
	VPSHUFB in, last, Y4; \
	VPAND Y4, out, out; \
	VPCMPEQB Y5, out, out

// ESCAPED takes the mask of the backslashes in R12, and in R10 whether byte 0 is escaped
// (1) or not (0). It sets AX to the mask of the bytes that a backslash before them
// escapes, and R10 to whether the byte after the block is escaped. It does not mark a
// backslash that another one escapes, unless that is byte 0. It has no branch, because
// about half of the blocks have backslashes, and the processor could not predict it. It
// changes R12 and DI. R15 is the mask of the bytes at odd offsets.
//
// The byte after the block is escaped if the run of backslashes that ends the block has an odd
// length. If all 64 bytes are backslashes, it is escaped if byte 0 is: LZCNT then sets the carry
// flag, and CMOVQCS takes R10. So it hardly ever depends on the block before, and the processor
// can work on several blocks at once.
//
// R12 loses byte 0 if that is escaped. AX begins as the bytes after backslashes and those at odd
// offsets. A run of backslashes is subtracted from it: if the run begins at an odd offset, AX
// has all of it, and the byte after it, and only that byte is left. If the run begins at an even
// offset, AX lacks its first byte, and that is borrowed from the byte after the run: all of
// the run is left, and not that byte. So the exclusive or with the odd offsets leaves the
// first, third, fifth backslash and so on of each run, which escape what follows them, and the
// byte after the run if an odd number of backslashes precedes it.
#define ESCAPED \
	MOVQ R12, DI; \
	NOTQ DI; \
	LZCNTQ DI, DI; \
	CMOVQCS R10, DI; \
	ANDQ $1, DI; \
	ANDNQ R12, R10, R12; \
	LEAQ (R12)(R12*1), AX; \
	ORQ R15, AX; \
	SUBQ R12, AX; \
	XORQ R15, AX; \
	ANDNQ AX, R12, AX; \
	ORQ R10, AX; \
	MOVQ DI, R10

// ODD sets R15 as ESCAPED needs it.
#define ODD MOVQ $0xaaaaaaaaaaaaaaaa, R15

#define BYTES(name, eight) \
	DATA name<>+0(SB)/8, $eight; \
	GLOBL name<>(SB), RODATA|NOPTR, $8

BYTES(quotes, 0x2222222222222222)
BYTES(backslashes, 0x5c5c5c5c5c5c5c5c)
BYTES(controls, 0x1f1f1f1f1f1f1f1f)
BYTES(lastDigit, 0x0f0f0f0f0f0f0f0f)
BYTES(bit5, 0x2020202020202020)
BYTES(openings, 0x7b7b7b7b7b7b7b7b)
BYTES(closings, 0x7d7d7d7d7d7d7d7d)
BYTES(commas, 0x2c2c2c2c2c2c2c2c)
BYTES(newlines, 0x0a0a0a0a0a0a0a0a)

#define TABLE(name, low, high) \
	DATA name<>+0(SB)/8, $low; \
	DATA name<>+8(SB)/8, $high; \
	GLOBL name<>(SB), RODATA|NOPTR, $16

// The set of the bytes "\/bfnrt: each is an escape with the backslash before it.
TABLE(escapeLast, 0x0002000400070000, 0x0102000800000000)
TABLE(escapeFirst, 0x0402080000010000, 0x0000000000000000)

// The set of the hexadecimal digits.
TABLE(digitLast, 0x0103030303030301, 0x0000000000000101)
TABLE(digitFirst, 0x0002000201000000, 0x0000000000000000)

// The set of the bytes that may be outside strings in a line: those that are not foreign
// in the table class.
TABLE(outerLast, 0x04246c4444462406, 0x0022532252040504)
TABLE(outerFirst, 0x4020100804020001, 0x0000000000000000)

// The list of the white space of a line, and the list of the bytes : [ and , which may precede an
// opening bracket too.
TABLE(space, 0xffffffffffffff20, 0xffff0dffffff09ff)
TABLE(before, 0xffffffffffffffff, 0xffffff2c5b3affff)

// func skipTextAVX2(b []byte, i int) int
TEXT ·skipTextAVX2(SB), NOSPLIT, $0-40
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	SUBQ $64, CX // the last offset of a block
	MOVQ i+24(FP), BX
	XORQ R10, R10
	CMPQ BX, CX
	JGT textEnd
	VPBROADCASTQ quotes<>(SB), Y15
	VPBROADCASTQ backslashes<>(SB), Y14
	VPBROADCASTQ controls<>(SB), Y13

	// Most strings are short and plain: the first quote is in the first block, with
	// neither a backslash nor a control character before it.
	VMOVDQU (SI)(BX*1), Y0
	VMOVDQU 32(SI)(BX*1), Y1
	EQUAL(Y15, R13)
	EQUAL(Y14, R12)
	CONTROLS(R8)
	ORQ R8, R12
	LEAQ -1(R13), AX
	ANDNQ AX, R13, AX // the bytes before the first quote, all if there is none
	TESTQ AX, R12
	JNZ setUp
	BSFQ R13, AX
	JZ setUp
	ADDQ AX, BX
	JMP textDone

setUp:
	VBROADCASTI128 escapeLast<>(SB), Y9
	VBROADCASTI128 escapeFirst<>(SB), Y8
	VMOVDQU digitLast<>(SB), X11
	VMOVDQU digitFirst<>(SB), X10
	VPBROADCASTQ lastDigit<>(SB), Y6
	VPXOR Y5, Y5, Y5
	ODD

text:
	CMPQ BX, CX
	JGT textEnd
	VMOVDQU (SI)(BX*1), Y0
	VMOVDQU 32(SI)(BX*1), Y1

	// R13: the quotes that end the string.
	EQUAL(Y14, R12)
	EQUAL(Y15, R13)
	ESCAPED
	MOVQ AX, R12
	ANDNQ R13, AX, R13

	// R12: the bytes that are escaped and not in the set.
	FOREIGN(Y9, Y8, Y0, Y2)
	FOREIGN(Y9, Y8, Y1, Y3)
	BITS(AX)
	ANDQ AX, R12

	CONTROLS(R8)
	ORQ R12, R8
	ORQ R13, R8
	BSFQ R8, AX
	JNZ textStop
	ADDQ $64, BX
	JMP text

textStop:
	ADDQ AX, BX
	BTQ AX, R12
	JCC textDone

	// An escaped byte that is not in the set. If it is u, and the four bytes after it are
	// hexadecimal digits, go on after these, but not if they are 0000, or begin with d or D.
	CMPB (SI)(BX*1), $'u'
	JNE textBack
	LEAQ 5-64(BX), AX // CX is the length less 64
	CMPQ AX, CX
	JGT textBack
	MOVL 1(SI)(BX*1), AX
	CMPL AX, $0x30303030
	JEQ textBack
	VMOVD AX, X2
	FOREIGN(Y11, Y10, Y2, Y3)
	VPMOVMSKB Y3, DX
	TESTL $0xf, DX
	JNZ textBack
	ORL $0x20, AX
	CMPB AX, $'d'
	JEQ textBack
	ADDQ $5, BX
	XORQ R10, R10
	JMP text

textBack:
	DECQ BX // to the backslash
	JMP textDone

textEnd:
	SUBQ R10, BX // back to the backslash if it escapes the next byte

textDone:
	MOVQ BX, ret+32(FP)
	VZEROUPPER
	RET

// func skipQuotedAVX2(b []byte, i int) int
TEXT ·skipQuotedAVX2(SB), NOSPLIT, $0-40
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	SUBQ $64, CX // the last offset of a block
	MOVQ i+24(FP), BX
	VPBROADCASTQ quotes<>(SB), Y15
	VPBROADCASTQ backslashes<>(SB), Y14
	VPBROADCASTQ newlines<>(SB), Y13
	XORQ R10, R10
	ODD

quoted:
	CMPQ BX, CX
	JGT quotedEnd
	VMOVDQU (SI)(BX*1), Y0
	VMOVDQU 32(SI)(BX*1), Y1

	// R13: the quotes that end the string, and the newlines.
	EQUAL(Y14, R12)
	EQUAL(Y15, R13)
	EQUAL(Y13, R8)
	ESCAPED
	ANDNQ R13, AX, R13
	ORQ R8, R13
	BSFQ R13, AX
	JNZ quotedStop
	ADDQ $64, BX
	JMP quoted

quotedStop:
	ADDQ AX, BX
	JMP quotedDone

quotedEnd:
	SUBQ R10, BX // back to the backslash if it escapes the next byte

quotedDone:
	MOVQ BX, ret+32(FP)
	VZEROUPPER
	RET

// func skimAVX2(b []byte, i int, s *skim) int
TEXT ·skimAVX2(SB), NOSPLIT, $0-48
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	SUBQ $64, CX // the last offset of a block
	MOVQ i+24(FP), BX
	MOVQ s+32(FP), AX
	MOVQ skim_depth(AX), R8
	MOVQ skim_quoted(AX), R9
	MOVQ skim_escaped(AX), R10
	MOVQ skim_closed(AX), R11
	VPBROADCASTQ quotes<>(SB), Y15
	VPBROADCASTQ backslashes<>(SB), Y14
	VPBROADCASTQ bit5<>(SB), Y13
	VPBROADCASTQ openings<>(SB), Y12
	VPBROADCASTQ closings<>(SB), Y11
	VPBROADCASTQ newlines<>(SB), Y10
	VBROADCASTI128 outerLast<>(SB), Y9
	VBROADCASTI128 outerFirst<>(SB), Y8
	VBROADCASTI128 space<>(SB), Y7
	VPBROADCASTQ lastDigit<>(SB), Y6
	VPXOR Y5, Y5, Y5
	ODD

block:
	CMPQ BX, CX
	JGT done
	VMOVDQU (SI)(BX*1), Y0
	VMOVDQU 32(SI)(BX*1), Y1

	// R13: the quotes that begin or end a string. R14 is not 0 if there is a newline.
	EQUAL(Y14, R12)
	EQUAL(Y15, R13)
	VPCMPEQB Y10, Y0, Y2
	VPCMPEQB Y10, Y1, Y3
	VPOR Y3, Y2, Y2
	VPMOVMSKB Y2, R14
	ESCAPED
	ANDNQ R13, AX, R13
	MOVQ R13, AX
	ORQ R14, AX
	JNZ strings

	// Most blocks are inside a string. They need no more: R11 is 0, because the string began
	// after the last closing bracket.
	TESTQ R9, R9
	JNZ next

strings:
	// The carry-less product with all ones makes each bit the parity of the quotes up to
	// it, so R13 becomes the bytes of strings, with their first quote and without their
	// last. R9 is all ones if a string goes on after the block.
	VMOVQ R13, X2
	VPCMPEQB X3, X3, X3
	VPCLMULQDQ $0, X3, X2, X2
	VMOVQ X2, R13
	XORQ R9, R13
	MOVQ R13, R9
	SARQ $63, R9

	// R13: the bytes outside strings.
	NOTQ R13

	// R12: what must not be there. First, bytes that must not be outside strings, and
	// newlines in strings too.
	FOREIGN(Y9, Y8, Y0, Y2)
	FOREIGN(Y9, Y8, Y1, Y3)
	BITS(R12)
	ANDQ R13, R12
	TESTQ R14, R14
	JZ bracketed
	EQUAL(Y10, AX)
	ORQ AX, R12

bracketed:
	// R14 and DI: the brackets. '[' and ']' are '{' and '}' but for the bit 0x20.
	VPOR Y13, Y0, Y2
	VPOR Y13, Y1, Y3
	VPCMPEQB Y11, Y2, Y4
	VPMOVMSKB Y4, DI
	VPCMPEQB Y11, Y3, Y4
	VPMOVMSKB Y4, DX
	SHLQ $32, DX
	ORQ DX, DI
	ANDQ R13, DI
	VPCMPEQB Y12, Y2, Y2
	VPCMPEQB Y12, Y3, Y3
	BITS(R14)
	ANDQ R13, R14
	JZ closed

	// Second, an opening bracket after a byte that it cannot follow. The byte before the
	// block is part of the slice: at least the first bracket is before it.
	VMOVDQU -1(SI)(BX*1), Y0
	VMOVDQU 31(SI)(BX*1), Y1
	VBROADCASTI128 before<>(SB), Y4
	LISTED(Y4, Y0, Y2)
	LISTED(Y4, Y1, Y3)
	LISTED(Y7, Y0, Y4)
	VPOR Y4, Y2, Y2
	LISTED(Y7, Y1, Y4)
	VPOR Y4, Y3, Y3
	BITS(AX)
	ANDNQ R14, AX, AX
	ORQ AX, R12

closed:
	MOVQ DI, AX
	ORQ R11, AX
	JZ depth

	// Third, any byte but a comma or a closing bracket after a closing bracket, with
	// optional white space between them. AX: the bytes right after closing brackets;
	// R11 is 1 if byte 0 is one, or follows white space after one. R13: the white
	// space. Adding them moves each bit of AX at a run of white space to the place
	// after the run.
	LEAQ (R11)(DI*2), AX
	MOVQ DI, R11
	SHRQ $63, R11
	VMOVDQU (SI)(BX*1), Y0
	VMOVDQU 32(SI)(BX*1), Y1
	LISTED(Y7, Y0, Y2)
	LISTED(Y7, Y1, Y3)
	BITS(R13)
	MOVQ AX, DX
	ANDQ R13, DX
	ANDNQ AX, R13, AX
	ADDQ R13, DX
	ADCQ $0, R11
	ANDNQ DX, R13, DX
	ORQ DX, AX
	VPBROADCASTQ commas<>(SB), Y4
	EQUAL(Y4, R13)
	ORQ DI, R13
	ANDNQ AX, R13, AX
	ORQ AX, R12

depth:
	// If fewer brackets close than are open, the container does not end in this block.
	POPCNTQ DI, AX
	POPCNTQ R14, DX
	CMPQ AX, R8
	JGE brackets
	ADDQ DX, R8
	SUBQ AX, R8
	TESTQ R12, R12
	JNZ broken

next:
	ADDQ $64, BX
	JMP block

brackets:
	// The brackets of the block, one after another. AX: those that are left.
	MOVQ R14, AX
	ORQ DI, AX

bracket:
	BSFQ AX, DX
	JZ stillOpen
	BLSRQ AX, AX // without the lowest bit
	BTQ DX, R14
	JCS opening
	DECQ R8
	JNZ bracket

	// The end of the container. Only what is before it can break it.
	MOVQ DX, CX
	MOVQ $1, AX
	SHLQ CX, AX
	DECQ AX
	ANDQ AX, R12
	JNZ broken
	LEAQ 1(BX)(DX*1), BX
	JMP done

opening:
	INCQ R8
	JMP bracket

stillOpen:
	TESTQ R12, R12
	JZ next

broken:
	MOVQ $-1, R8

done:
	MOVQ s+32(FP), AX
	MOVQ R8, skim_depth(AX)
	MOVQ R9, skim_quoted(AX)
	MOVQ R10, skim_escaped(AX)
	MOVQ R11, skim_closed(AX)
	MOVQ BX, ret+40(FP)
	VZEROUPPER
	RET

// func cpuid(leaf, subleaf uint32) (eax, ebx, ecx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-20
	MOVL leaf+0(FP), AX
	MOVL subleaf+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	RET

// func xgetbv() uint32
TEXT ·xgetbv(SB), NOSPLIT, $0-4
	MOVL $0, CX
	XGETBV
	MOVL AX, ret+0(FP)
	RET
