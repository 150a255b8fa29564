package session

import "strings"

// Compose returns s in Unicode's composed form (NFC), as the name of a folder is made
// of it, when s comes composed or decomposed: macOS gives names that were typed with
// one character as a letter and its marks. What else NFC does is left out: marks are
// not put in order, and characters that are others by definition, like the Ångström
// sign, stay.
func Compose(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x300 && isPart(r) }) {
		return s
	}
	var out []rune
	starter := 0 // where in out the character is that marks join
	last := 0    // the class of the last mark behind it that did not
	for _, r := range s {
		class := marks[r].class
		if len(out) > 0 && (last == 0 || last < class) {
			if whole, ok := join(out[starter], r); ok {
				out[starter] = whole
				continue
			}
		}
		if class == 0 { // also of marks that join nothing, so nothing joins across them
			starter = len(out)
		}
		last = class
		out = append(out, r)
	}
	return string(out)
}

// isPart reports whether a character may join the one before it.
func isPart(r rune) bool {
	_, ok := marks[r]
	return ok || vowelFirst <= r && r < vowelFirst+vowels || tailFirst < r && r < tailFirst+tails
}

// The syllables of Hangul are counted, not listed: each has a lead, a vowel and a
// tail, which may be none.
const (
	syllableFirst = 0xac00
	leadFirst     = 0x1100
	vowelFirst    = 0x1161
	tailFirst     = 0x11a7 // none
	leads         = 19
	vowels        = 21
	tails         = 28
)

// join returns the character that two make.
func join(a, b rune) (rune, bool) {
	syllable := a - syllableFirst
	switch {
	case leadFirst <= a && a < leadFirst+leads && vowelFirst <= b && b < vowelFirst+vowels:
		return syllableFirst + ((a-leadFirst)*vowels+b-vowelFirst)*tails, true
	case 0 <= syllable && syllable < leads*vowels*tails && syllable%tails == 0 && tailFirst < b && b < tailFirst+tails:
		return a + b - tailFirst, true
	}
	var base rune
	for _, r := range marks[b].pairs {
		if base == 0 {
			base = r
			continue
		}
		if base == a {
			return r, true
		}
		base = 0
	}
	return 0, false
}

// A mark joins some characters before it.
type mark struct {
	class int    // Unicode's combining class
	pairs string // characters that it joins, each followed by what the two make
}

// marks are those of Unicode 14, which no later version may change.
var marks = map[rune]mark{
	'\u0300':     {230, "AÀEÈIÌNǸOÒUÙWẀYỲaàeèiìnǹoòuùwẁyỳ¨῭ÂẦÊỀÔỒÜǛâầêềôồüǜĂẰăằĒḔēḕŌṐōṑƠỜơờƯỪưừΑᾺΕῈΗῊΙῚΟῸΥῪΩῺαὰεὲηὴιὶοὸυὺωὼϊῒϋῢЕЀИЍеѐиѝἀἂἁἃἈἊἉἋἐἒἑἓἘἚἙἛἠἢἡἣἨἪἩἫἰἲἱἳἸἺἹἻὀὂὁὃὈὊὉὋὐὒὑὓὙὛὠὢὡὣὨὪὩὫ᾿῍῾῝"},
	'\u0301':     {230, "AÁCĆEÉGǴIÍKḰLĹMḾNŃOÓPṔRŔSŚUÚWẂYÝZŹaácćeégǵiíkḱlĺmḿnńoópṕrŕsśuúwẃyýzź¨΅ÂẤÅǺÆǼÇḈÊẾÏḮÔỐÕṌØǾÜǗâấåǻæǽçḉêếïḯôốõṍøǿüǘĂẮăắĒḖēḗŌṒōṓŨṸũṹƠỚơớƯỨưứΑΆΕΈΗΉΙΊΟΌΥΎΩΏαάεέηήιίοόυύωώϊΐϋΰϒϓГЃКЌгѓкќἀἄἁἅἈἌἉἍἐἔἑἕἘἜἙἝἠἤἡἥἨἬἩἭἰἴἱἵἸἼἹἽὀὄὁὅὈὌὉὍὐὔὑὕὙὝὠὤὡὥὨὬὩὭ᾿῎῾῞"},
	'\u0302':     {230, "AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶZẐaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷzẑẠẬạậẸỆẹệỌỘọộ"},
	'\u0303':     {230, "AÃEẼIĨNÑOÕUŨVṼYỸaãeẽiĩnñoõuũvṽyỹÂẪÊỄÔỖâẫêễôỗĂẴăẵƠỠơỡƯỮưữ"},
	'\u0304':     {230, "AĀEĒGḠIĪOŌUŪYȲaāeēgḡiīoōuūyȳÄǞÆǢÕȬÖȪÜǕäǟæǣõȭöȫüǖǪǬǫǭȦǠȧǡȮȰȯȱΑᾹΙῙΥῩαᾱιῑυῡИӢУӮиӣуӯḶḸḷḹṚṜṛṝ"},
	'\u0306':     {230, "AĂEĔGĞIĬOŎUŬaăeĕgğiĭoŏuŭȨḜȩḝΑᾸΙῘΥῨαᾰιῐυῠАӐЕӖЖӁИЙУЎаӑеӗжӂийуўẠẶạặ"},
	'\u0307':     {230, "AȦBḂCĊDḊEĖFḞGĠHḢIİMṀNṄOȮPṖRṘSṠTṪWẆXẊYẎZŻaȧbḃcċdḋeėfḟgġhḣmṁnṅoȯpṗrṙsṡtṫwẇxẋyẏzżŚṤśṥŠṦšṧſẛṢṨṣṩ"},
	'\u0308':     {230, "AÄEËHḦIÏOÖUÜWẄXẌYŸaäeëhḧiïoötẗuüwẅxẍyÿÕṎõṏŪṺūṻΙΪΥΫιϊυϋϒϔІЇАӒЕЁЖӜЗӞИӤОӦУӰЧӴЫӸЭӬаӓеёжӝзӟиӥоӧуӱчӵыӹэӭіїӘӚәӛӨӪөӫ"},
	'\u0309':     {230, "AẢEẺIỈOỎUỦYỶaảeẻiỉoỏuủyỷÂẨÊỂÔỔâẩêểôổĂẲăẳƠỞơởƯỬưử"},
	'\u030a':     {230, "AÅUŮaåuůwẘyẙ"},
	'\u030b':     {230, "OŐUŰoőuűУӲуӳ"},
	'\u030c':     {230, "AǍCČDĎEĚGǦHȞIǏKǨLĽNŇOǑRŘSŠTŤUǓZŽaǎcčdďeěgǧhȟiǐjǰkǩlľnňoǒrřsštťuǔzžÜǙüǚƷǮʒǯ"},
	'\u030f':     {230, "AȀEȄIȈOȌRȐUȔaȁeȅiȉoȍrȑuȕѴѶѵѷ"},
	'\u0311':     {230, "AȂEȆIȊOȎRȒUȖaȃeȇiȋoȏrȓuȗ"},
	'\u0313':     {230, "ΑἈΕἘΗἨΙἸΟὈΩὨαἀεἐηἠιἰοὀρῤυὐωὠ"},
	'\u0314':     {230, "ΑἉΕἙΗἩΙἹΟὉΡῬΥὙΩὩαἁεἑηἡιἱοὁρῥυὑωὡ"},
	'\u031b':     {216, "OƠUƯoơuư"},
	'\u0323':     {220, "AẠBḄDḌEẸHḤIỊKḲLḶMṂNṆOỌRṚSṢTṬUỤVṾWẈYỴZẒaạbḅdḍeẹhḥiịkḳlḷmṃnṇoọrṛsṣtṭuụvṿwẉyỵzẓƠỢơợƯỰưự"},
	'\u0324':     {220, "UṲuṳ"},
	'\u0325':     {220, "AḀaḁ"},
	'\u0326':     {220, "SȘTȚsștț"},
	'\u0327':     {202, "CÇDḐEȨGĢHḨKĶLĻNŅRŖSŞTŢcçdḑeȩgģhḩkķlļnņrŗsştţ"},
	'\u0328':     {202, "AĄEĘIĮOǪUŲaąeęiįoǫuų"},
	'\u032d':     {220, "DḒEḘLḼNṊTṰUṶdḓeḙlḽnṋtṱuṷ"},
	'\u032e':     {220, "HḪhḫ"},
	'\u0330':     {220, "EḚIḬUṴeḛiḭuṵ"},
	'\u0331':     {220, "BḆDḎKḴLḺNṈRṞTṮZẔbḇdḏhẖkḵlḻnṉrṟtṯzẕ"},
	'\u0338':     {1, "<≮=≠>≯←↚→↛↔↮⇐⇍⇒⇏⇔⇎∃∄∈∉∋∌∣∤∥∦∼≁≃≄≅≇≈≉≍≭≡≢≤≰≥≱≲≴≳≵≶≸≷≹≺⊀≻⊁≼⋠≽⋡⊂⊄⊃⊅⊆⊈⊇⊉⊑⋢⊒⋣⊢⊬⊨⊭⊩⊮⊫⊯⊲⋪⊳⋫⊴⋬⊵⋭"},
	'\u0342':     {230, "¨῁αᾶηῆιῖυῦωῶϊῗϋῧἀἆἁἇἈἎἉἏἠἦἡἧἨἮἩἯἰἶἱἷἸἾἹἿὐὖὑὗὙὟὠὦὡὧὨὮὩὯ᾿῏῾῟"},
	'\u0345':     {240, "ΑᾼΗῌΩῼάᾴήῄαᾳηῃωῳώῴἀᾀἁᾁἂᾂἃᾃἄᾄἅᾅἆᾆἇᾇἈᾈἉᾉἊᾊἋᾋἌᾌἍᾍἎᾎἏᾏἠᾐἡᾑἢᾒἣᾓἤᾔἥᾕἦᾖἧᾗἨᾘἩᾙἪᾚἫᾛἬᾜἭᾝἮᾞἯᾟὠᾠὡᾡὢᾢὣᾣὤᾤὥᾥὦᾦὧᾧὨᾨὩᾩὪᾪὫᾫὬᾬὭᾭὮᾮὯᾯὰᾲὴῂὼῲᾶᾷῆῇῶῷ"},
	'\u0653':     {230, "\u0627\u0622"},
	'\u0654':     {230, "\u0627\u0623\u0648\u0624\u064a\u0626\u06c1\u06c2\u06d2\u06d3\u06d5\u06c0"},
	'\u0655':     {220, "\u0627\u0625"},
	'\u093c':     {7, "\u0928\u0929\u0930\u0931\u0933\u0934"},
	'\u09be':     {0, "\u09c7\u09cb"},
	'\u09d7':     {0, "\u09c7\u09cc"},
	'\u0b3e':     {0, "\u0b47\u0b4b"},
	'\u0b56':     {0, "\u0b47\u0b48"},
	'\u0b57':     {0, "\u0b47\u0b4c"},
	'\u0bbe':     {0, "\u0bc6\u0bca\u0bc7\u0bcb"},
	'\u0bd7':     {0, "\u0b92\u0b94\u0bc6\u0bcc"},
	'\u0c56':     {91, "\u0c46\u0c48"},
	'\u0cc2':     {0, "\u0cc6\u0cca"},
	'\u0cd5':     {0, "\u0cbf\u0cc0\u0cc6\u0cc7\u0cca\u0ccb"},
	'\u0cd6':     {0, "\u0cc6\u0cc8"},
	'\u0d3e':     {0, "\u0d46\u0d4a\u0d47\u0d4b"},
	'\u0d57':     {0, "\u0d46\u0d4c"},
	'\u0dca':     {9, "\u0dd9\u0dda\u0ddc\u0ddd"},
	'\u0dcf':     {0, "\u0dd9\u0ddc"},
	'\u0ddf':     {0, "\u0dd9\u0dde"},
	'\u102e':     {0, "\u1025\u1026"},
	'\u1b35':     {0, "\u1b05\u1b06\u1b07\u1b08\u1b09\u1b0a\u1b0b\u1b0c\u1b0d\u1b0e\u1b11\u1b12\u1b3a\u1b3b\u1b3c\u1b3d\u1b3e\u1b40\u1b3f\u1b41\u1b42\u1b43"},
	'\u3099':     {8, "うゔかがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼゝゞウヴカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボワヷヰヸヱヹヲヺヽヾ"},
	'\u309a':     {8, "はぱひぴふぷへぺほぽハパヒピフプヘペホポ"},
	'\U000110ba': {7, "\U00011099\U0001109a\U0001109b\U0001109c\U000110a5\U000110ab"},
	'\U00011127': {0, "\U00011131\U0001112e\U00011132\U0001112f"},
	'\U0001133e': {0, "\U00011347\U0001134b"},
	'\U00011357': {0, "\U00011347\U0001134c"},
	'\U000114b0': {0, "\U000114b9\U000114bc"},
	'\U000114ba': {0, "\U000114b9\U000114bb"},
	'\U000114bd': {0, "\U000114b9\U000114be"},
	'\U000115af': {0, "\U000115b8\U000115ba\U000115b9\U000115bb"},
	'\U00011930': {0, "\U00011935\U00011938"},
}
