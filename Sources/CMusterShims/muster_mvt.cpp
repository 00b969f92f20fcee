#include "muster_mvt.h"

#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <protozero/pbf_writer.hpp>

// Field numbers of vector_tile.proto.
namespace {

enum tile_field { tile_layers = 3 };

enum layer_field {
    layer_name = 1,
    layer_features = 2,
    layer_keys = 3,
    layer_values = 4,
    layer_extent = 5,
    layer_version = 15
};

enum feature_field { feature_id = 1, feature_tags = 2, feature_type = 3, feature_geometry = 4 };

enum value_field { value_string = 1, value_int = 4, value_bool = 7 };

constexpr int point_type = 1;
// A command integer: one `MoveTo`.
constexpr uint32_t move_once = (1u << 3) | 1u;

uint32_t zigzag(uint32_t number) { return number << 1; }

}  // namespace

struct muster_mvt {
    std::string layer;
    uint32_t extent;
    std::vector<std::string> keys;
    std::map<std::string, uint32_t> key_places;
    // Encoded values, without duplicates.
    std::vector<std::string> values;
    std::map<std::string, uint32_t> value_places;
    std::string features;

    bool has_feature = false;
    uint64_t id = 0;
    uint32_t x = 0;
    uint32_t y = 0;
    std::vector<uint32_t> tags;

    std::string finished;

    static uint32_t place(
        std::vector<std::string> &list, std::map<std::string, uint32_t> &places, std::string text) {
        const auto found = places.find(text);
        if (found != places.end()) return found->second;
        const auto number = static_cast<uint32_t>(list.size());
        places.emplace(text, number);
        list.push_back(std::move(text));
        return number;
    }

    void tag(const char *name, size_t length, std::string value) {
        tags.push_back(place(keys, key_places, std::string(name, length)));
        tags.push_back(place(values, value_places, std::move(value)));
    }

    void end_feature() {
        if (!has_feature) return;
        has_feature = false;
        std::string bytes;
        protozero::pbf_writer feature{bytes};
        feature.add_uint64(feature_id, id);
        feature.add_packed_uint32(feature_tags, tags.begin(), tags.end());
        feature.add_enum(feature_type, point_type);
        const uint32_t geometry[] = {move_once, zigzag(x), zigzag(y)};
        feature.add_packed_uint32(feature_geometry, geometry, geometry + 3);
        protozero::pbf_writer layer_writer{features};
        layer_writer.add_message(layer_features, bytes);
        tags.clear();
    }
};

muster_mvt *muster_mvt_create(const char *layer, size_t length, uint32_t extent) {
    auto *tile = new (std::nothrow) muster_mvt;
    if (tile == nullptr) return nullptr;
    tile->layer.assign(layer, length);
    tile->extent = extent;
    return tile;
}

void muster_mvt_destroy(muster_mvt *tile) { delete tile; }

void muster_mvt_add_point(muster_mvt *tile, uint64_t id, uint32_t x, uint32_t y) {
    tile->end_feature();
    tile->has_feature = true;
    tile->id = id;
    tile->x = x;
    tile->y = y;
}

void muster_mvt_add_text(muster_mvt *tile, const char *name, size_t name_length, const char *text, size_t length) {
    std::string value;
    protozero::pbf_writer{value}.add_string(value_string, text, length);
    tile->tag(name, name_length, std::move(value));
}

void muster_mvt_add_number(muster_mvt *tile, const char *name, size_t name_length, int64_t number) {
    std::string value;
    protozero::pbf_writer{value}.add_int64(value_int, number);
    tile->tag(name, name_length, std::move(value));
}

void muster_mvt_add_bool(muster_mvt *tile, const char *name, size_t name_length, bool value) {
    std::string bytes;
    protozero::pbf_writer{bytes}.add_bool(value_bool, value);
    tile->tag(name, name_length, std::move(bytes));
}

size_t muster_mvt_finish(muster_mvt *tile, const uint8_t **bytes) {
    tile->end_feature();
    std::string layer;
    protozero::pbf_writer writer{layer};
    writer.add_uint32(layer_version, 2);
    writer.add_string(layer_name, tile->layer);
    layer.append(tile->features);
    for (const auto &key : tile->keys) writer.add_string(layer_keys, key);
    for (const auto &value : tile->values) writer.add_message(layer_values, value);
    writer.add_uint32(layer_extent, tile->extent);
    tile->finished.clear();
    protozero::pbf_writer{tile->finished}.add_message(tile_layers, layer);
    *bytes = reinterpret_cast<const uint8_t *>(tile->finished.data());
    return tile->finished.size();
}
