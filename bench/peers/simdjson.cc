// Prints four fields of each line of a file: simdjson's on-demand parser, line by line over
// a mapped file.
#include <fcntl.h>
#include <simdjson.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

int main(int argc, char **argv) {
	struct stat info;
	int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	if (file < 0 || fstat(file, &info) != 0) return 2;
	// The parser reads some bytes behind the last line, so they are mapped too.
	size_t size = info.st_size, room = size + 4096;
	char *data = (char *)mmap(nullptr, room, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (data == MAP_FAILED) return 2;
	if (size > 0 && mmap(data, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED) return 2;

	simdjson::ondemand::parser parser;
	std::string out;
	for (char *line = data, *end = data + size; line < end;) {
		char *newline = (char *)memchr(line, '\n', end - line);
		if (newline == nullptr) newline = end;
		simdjson::padded_string_view text(line, newline - line, data + room - line);
		line = newline + 1;
		simdjson::ondemand::document doc;
		simdjson::ondemand::object object;
		if (parser.iterate(text).get(doc) || doc.get_object().get(object)) continue;
		for (auto member : object) {
			simdjson::ondemand::field field;
			if (std::move(member).get(field)) break;
			auto key = field.key();
			if (key == "uuid" || key == "parentUuid" || key == "type" || key == "timestamp") {
				out += field.value().raw_json_token();
				out += ' ';
			}
		}
		out += '\n';
		if (out.size() > 1 << 16) {
			fwrite(out.data(), 1, out.size(), stdout);
			out.clear();
		}
	}
	fwrite(out.data(), 1, out.size(), stdout);
	return 0;
}
