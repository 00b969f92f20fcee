// As in Debian's build of the library, because it changes the layout of its classes.
#define SIMDJSON_THREADS_ENABLED 1
#include "muster_json.h"

#include <simdjson.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

namespace dom = simdjson::dom;

static_assert(MUSTER_JSON_PADDING >= simdjson::SIMDJSON_PADDING, "simdjson reads further behind a text than is said");

struct muster_json_parser {
    dom::parser parser;
};

namespace {

/// Returns the C form of a simdjson handle, which is a document and an index into its tape.
template <typename Handle>
muster_json_value pack(const Handle &handle) noexcept {
    static_assert(sizeof(Handle) == sizeof(muster_json_value) && std::is_trivially_copyable_v<Handle>);
    muster_json_value value;
    std::memcpy(&value, &handle, sizeof value);
    return value;
}

/// Reverses `pack`, for a value that is not absent.
template <typename Handle>
void unpack(muster_json_value value, Handle &handle) noexcept {
    static_assert(sizeof(Handle) == sizeof(muster_json_value) && std::is_trivially_copyable_v<Handle>);
    std::memcpy(static_cast<void *>(&handle), &value, sizeof value);
}

dom::element element_of(muster_json_value value) noexcept {
    dom::element element;
    unpack(value, element);
    return element;
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Returns whether `token` is a number by the grammar of RFC 8259.
bool is_number(const std::string &token) noexcept {
    const char *next = token.c_str();
    if (*next == '-') next++;
    if (*next == '0') {
        next++;
    } else {
        if (!is_digit(*next)) return false;
        while (is_digit(*next)) next++;
    }
    if (*next == '.') {
        if (!is_digit(*++next)) return false;
        while (is_digit(*next)) next++;
    }
    if (*next == 'e' || *next == 'E') {
        next++;
        if (*next == '+' || *next == '-') next++;
        if (!is_digit(*next)) return false;
        while (is_digit(*next)) next++;
    }
    return next == token.c_str() + token.size();
}

/// Returns the text with every number that simdjson cannot represent replaced by the nearest double.
std::string with_bounded_numbers(std::string_view text) {
    std::string bounded;
    bounded.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    bool is_in_string = false;
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (is_in_string || !(c == '-' || is_digit(c))) {
            if (is_in_string && c == '\\' && at + 1 < text.size()) bounded += text[at++];
            else if (c == '"') is_in_string = !is_in_string;
            bounded += text[at++];
            continue;
        }
        const size_t end = std::min(text.find_first_not_of("+-.0123456789Ee", at), text.size());
        const std::string token(text.substr(at, end - at));
        at = end;
        const double number = std::strtod(token.c_str(), nullptr);
        const bool is_whole = token.find_first_of(".eE") == std::string::npos;
        if (is_number(token) && (std::isinf(number) || (is_whole && std::fabs(number) >= 0x1p63))) {
            char buffer[32];
            std::snprintf(buffer, sizeof buffer, "%.17e", std::isinf(number) ? std::copysign(DBL_MAX, number) : number);
            bounded += buffer;
        } else {
            bounded += token;
        }
    }
    return bounded;
}

/// Returns the name of a field as a number, for a `switch`; 0 for names that are longer than 8 bytes or begin with
/// U+0000, because those would equal a shorter name.
constexpr uint64_t code(std::string_view name) noexcept {
    if (name.empty() || name.size() > 8 || name[0] == '\0') return 0;
    uint64_t code = 0;
    for (const char c : name) code = code << 8 | static_cast<unsigned char>(c);
    return code;
}

}  // namespace

muster_json_parser *muster_json_parser_create(void) { return new (std::nothrow) muster_json_parser; }

void muster_json_parser_destroy(muster_json_parser *parser) { delete parser; }

const char *muster_json_parse(
    muster_json_parser *parser, const void *bytes, size_t length, bool is_padded, muster_json_value *root) {
    const char *text = static_cast<const char *>(bytes);
    dom::element element;
    simdjson::error_code error = parser->parser.parse(text, length, !is_padded).get(element);
    if (error == simdjson::NUMBER_ERROR) {
        try {
            error = parser->parser.parse(with_bounded_numbers({text, length})).get(element);
        } catch (const std::bad_alloc &) {
            error = simdjson::MEMALLOC;
        }
    }
    if (error) return simdjson::error_message(error);
    *root = pack(element);
    return nullptr;
}

muster_json_scalar muster_json_read(muster_json_value value) {
    muster_json_scalar scalar = {};
    if (value.document == nullptr) return scalar;
    const dom::element element = element_of(value);
    switch (element.type()) {
        case dom::element_type::NULL_VALUE: scalar.kind = MUSTER_JSON_NULL; break;
        case dom::element_type::ARRAY: scalar.kind = MUSTER_JSON_ARRAY; break;
        case dom::element_type::OBJECT: scalar.kind = MUSTER_JSON_OBJECT; break;
        case dom::element_type::BOOL:
            scalar.kind = MUSTER_JSON_BOOL;
            (void)element.get_bool().get(scalar.boolean);
            break;
        case dom::element_type::INT64:
            scalar.kind = MUSTER_JSON_INTEGER;
            (void)element.get_int64().get(scalar.integer);
            scalar.number = static_cast<double>(scalar.integer);
            break;
        case dom::element_type::UINT64: {
            uint64_t number = 0;
            (void)element.get_uint64().get(number);
            scalar.kind = MUSTER_JSON_DOUBLE;
            scalar.number = static_cast<double>(number);
            break;
        }
        case dom::element_type::DOUBLE:
            scalar.kind = MUSTER_JSON_DOUBLE;
            (void)element.get_double().get(scalar.number);
            break;
        case dom::element_type::STRING: {
            std::string_view text;
            (void)element.get_string().get(text);
            scalar.kind = MUSTER_JSON_STRING;
            scalar.bytes = text.data();
            scalar.length = text.size();
            break;
        }
    }
    return scalar;
}

muster_json_value muster_json_field(muster_json_value value, const char *key, size_t length) {
    dom::object object;
    if (value.document == nullptr || element_of(value).get(object)) return {};
    const std::string_view name(key, length);
    for (const auto field : object) {
        if (field.key == name) return pack(field.value);
    }
    return {};
}

muster_json_fix muster_json_find_fix(muster_json_value value) {
    muster_json_fix fix = {};
    dom::object object;
    if (value.document == nullptr || element_of(value).get(object)) return fix;
    for (const auto field : object) {
        muster_json_value *place = nullptr;
        switch (code(field.key)) {
            case code("type"): place = &fix.type; break;
            case code("id"): place = &fix.id; break;
            case code("seq"): place = &fix.seq; break;
            case code("at"): place = &fix.at; break;
            case code("lat"): place = &fix.lat; break;
            case code("lon"): place = &fix.lon; break;
            case code("accuracy"): place = &fix.accuracy; break;
            case code("altitude"): place = &fix.altitude; break;
            case code("speed"): place = &fix.speed; break;
            case code("course"): place = &fix.course; break;
            case code("battery"): place = &fix.battery; break;
            case code("trigger"): place = &fix.trigger; break;
            case code("answer"): place = &fix.answer; break;
            default: break;
        }
        if (place != nullptr && place->document == nullptr) *place = pack(field.value);
    }
    return fix;
}

muster_json_cursor muster_json_begin(muster_json_value container) {
    muster_json_cursor cursor = {};
    if (container.document == nullptr) return cursor;
    const dom::element element = element_of(container);
    dom::array array;
    dom::object object;
    if (!element.get(array)) {
        cursor = {pack(array.begin()), pack(array.end())};
    } else if (!element.get(object)) {
        cursor = {pack(object.begin()), pack(object.end())};
    }
    return cursor;
}

bool muster_json_next_element(muster_json_cursor *cursor, muster_json_value *element) {
    if (cursor->next.index == cursor->end.index) return false;
    dom::array::iterator iterator;
    unpack(cursor->next, iterator);
    *element = pack(*iterator);
    cursor->next = pack(++iterator);
    return true;
}

bool muster_json_next_field(muster_json_cursor *cursor, muster_json_scalar *key, muster_json_value *value) {
    if (cursor->next.index == cursor->end.index) return false;
    dom::object::iterator iterator;
    unpack(cursor->next, iterator);
    const std::string_view name = iterator.key();
    *key = {};
    key->kind = MUSTER_JSON_STRING;
    key->bytes = name.data();
    key->length = name.size();
    *value = pack(iterator.value());
    cursor->next = pack(++iterator);
    return true;
}

size_t muster_json_count(muster_json_value container) {
    if (container.document == nullptr) return 0;
    const dom::element element = element_of(container);
    dom::array array;
    dom::object object;
    if (!element.get(array)) return array.size();
    if (!element.get(object)) return object.size();
    return 0;
}
