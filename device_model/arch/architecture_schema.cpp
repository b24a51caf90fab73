// JSON Schema of architecture files: for editors, which complete and check keys with it, and for other programs.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "device_model/arch/architecture.h"
#include "device_model/arch/fields/fields.h"

namespace nocbench {

namespace {

using Json = nlohmann::ordered_json;

Json list_schema(const Json& items, std::size_t minimum_items, bool are_different) {
    Json schema{{"type", "array"}, {"items", items}};
    if (minimum_items > 0) {
        schema["minItems"] = minimum_items;
    }
    if (are_different) {
        schema["uniqueItems"] = true;
    }
    return schema;
}

Json tuple_schema(const Json& item, std::size_t size) {
    return {{"type", "array"}, {"items", item}, {"minItems", size}, {"maxItems", size}};
}

Json object_schema(const Json& properties) {
    Json schema{{"type", "object"}, {"additionalProperties", false}, {"required", Json::array()}};
    for (const auto& property : properties.items()) {
        schema["required"].push_back(property.key());
    }
    schema["properties"] = properties;
    return schema;
}

Json number_schema(const Field& field) {
    Json schema;
    switch (field.form) {
        case NumberForm::whole:
            schema = {{"type", "integer"}, {"minimum", field.minimum}, {"maximum", field.maximum}};
            break;
        case NumberForm::power_of_two:
            for (std::int64_t power = 1; power <= field.maximum; power *= 2) {
                if (power >= field.minimum) {
                    schema["enum"].push_back(power);
                }
            }
            break;
        case NumberForm::decimal_cycles:
            // The limit of four decimals cannot be expressed: validators compute `multipleOf` in floating point. All
            // bounds are whole cycles.
            schema = {{"type", "number"},
                      {"minimum", field.minimum / kTicksPerCycle},
                      {"maximum", field.maximum / kTicksPerCycle}};
            break;
    }
    return field.never ? Json{{"anyOf", {schema, {{"const", kNeverText}}}}} : schema;
}

/// Schema of each type of value.
struct ValueSchema {
    const Field& field;

    Json operator()(FieldAccessor<std::string> /*unused*/) const { return {{"type", "string"}, {"minLength", 1}}; }
    Json operator()(FieldAccessor<ArchitectureKind> /*unused*/) const {
        Json names = Json::array();
        for (const ArchitectureKind kind : architecture_kinds()) {
            names.push_back(to_string(kind));
        }
        return {{"enum", names}};
    }
    Json operator()(FieldAccessor<std::int64_t> /*unused*/) const {
        return field.words.empty() ? number_schema(field) : Json{{"enum", field.words}};
    }
    Json operator()(FieldAccessor<std::array<Tick, kNumNocs>> /*unused*/) const {
        return tuple_schema(number_schema(field), kNumNocs);
    }
    Json operator()(FieldAccessor<std::vector<std::int64_t>> /*unused*/) const {
        return list_schema(number_schema(field), field.minimum_items, true);
    }
    Json operator()(FieldAccessor<std::vector<PhysicalCoordinate>> /*unused*/) const {
        return list_schema(place(), field.minimum_items, true);
    }
    Json operator()(FieldAccessor<std::vector<std::vector<PhysicalCoordinate>>> /*unused*/) const {
        return list_schema(list_schema(place(), field.minimum_items, true), field.minimum_items, false);
    }
    Json operator()(FieldAccessor<std::vector<DramBank>> /*unused*/) const {
        const Json bank = object_schema({{"channel", {{"type", "integer"}, {"minimum", 0}}},
                                         {"endpoints", tuple_schema(place(), kNumNocs)},
                                         {"offset_bytes", {{"type", "integer"}, {"minimum", 0}}}});
        return list_schema(bank, field.minimum_items, false);
    }

private:
    [[nodiscard]] Json place() const { return tuple_schema(number_schema(field), 2); }
};

/// Returns the schema of references to rows of published tables. Conditions on columns are a value, a pattern or a
/// range, or several of them.
Json fitted_rows_schema() {
    const Json value{{"type", {"string", "number"}}, {"minLength", 1}};
    const Json values{{"anyOf", {value, list_schema(value, 1, true)}}};
    Json rows = object_schema({{"reference", {{"type", "string"}, {"minLength", 1}}}});
    rows["properties"]["where"] = {{"type", "object"}, {"additionalProperties", values}};
    return list_schema(rows, 0, false);
}

/// Returns the schema of a constant: its value and its provenance.
Json constant_schema(const Field& field) {
    Json schema = object_schema({{"value", std::visit(ValueSchema{field}, field.access)},
                                 {"unit", {{"const", field.unit}}},
                                 {"status", {{"enum", {"derived", "documented", "measured", "fitted", "estimated"}}}},
                                 {"source", {{"type", "string"}, {"minLength", 1}}}});
    schema["properties"]["fitted_to"] = {{"type", "string"}, {"minLength", 1}};
    schema["properties"]["fitted_rows"] = fitted_rows_schema();
    const auto with_status = [](const char* status) -> Json {
        return {{"properties", {{"status", {{"const", status}}}}}};
    };
    schema["if"] = with_status("fitted");
    schema["then"] = {{"required", {"fitted_to", "fitted_rows"}}};
    schema["else"] = {{"properties", {{"fitted_to", false}}},
                      {"if", with_status("documented")},
                      {"then", {{"properties", {{"fitted_rows", false}}}}}};
    return schema;
}

Json field_schema(const Field& field) {
    Json schema = field.is_text() ? std::visit(ValueSchema{field}, field.access) : constant_schema(field);
    schema["description"] = field.meaning;
    return schema;
}

/// Returns the fields of one section, or of the top of the file if `section` is empty.
Json section_properties(ArchitectureKind kind, std::string_view section) {
    Json properties = Json::object();
    for (const Field& field : fields(kind)) {
        if (field.section() == section) {
            properties[std::string(field.name())] = field_schema(field);
        }
    }
    return properties;
}

Json without_required(Json schema) {
    schema.erase("required");
    return schema;
}

/// Returns the schema of a file of this kind, in which all keys are optional.
Json file_schema(ArchitectureKind kind) {
    Json properties = section_properties(kind, "");
    properties[std::string(kBasedOn)] = {{"type", "string"}, {"minLength", 1}};
    for (const Field& field : fields(kind)) {
        const std::string section(field.section());
        const std::string key(field.collection.empty() ? section : field.collection);
        if (section.empty() || properties.contains(key)) {
            continue;
        }
        properties[key] = without_required(object_schema(section_properties(kind, section)));
        if (!field.collection.empty()) {
            properties[key] = {{"type", "object"}, {"additionalProperties", properties[key]}};
        }
    }
    return without_required(object_schema(properties));
}

/// Returns the required keys of a file without a base.
Json complete_schema(ArchitectureKind kind) {
    Json schema{{"required", Json::array()}, {"properties", Json::object()}};
    for (const Field& field : fields(kind)) {
        const std::string section(field.section());
        const std::string key(!field.collection.empty() ? field.collection : section.empty() ? field.key : section);
        if (section.empty() || !schema["properties"].contains(key)) {
            schema["required"].push_back(key);
        }
        if (!section.empty()) {
            Json& owner = schema["properties"][key];
            if (!field.collection.empty()) {
                owner["minProperties"] = 1;
            }
            (field.collection.empty() ? owner : owner["additionalProperties"])["required"].push_back(field.name());
        }
    }
    return schema;
}

}  // namespace

std::string architecture_json_schema() {
    constexpr std::string_view kKind = "kind";
    Json schema{
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"title", "nocbench architecture file"},
        {"description", "Every constant of a modeled machine, with its unit, its source and how well it is known."},
        {"type", "object"}};
    Json complete{{"required", {kKind}}};
    // A file with a base may omit its kind. Its fields may then be those of any one kind.
    Json differences{{"required", {"architecture"}}, {"if", {{"required", {kKind}}}}};
    for (const ArchitectureKind kind : architecture_kinds()) {
        const std::string name(to_string(kind));
        const Json is_of_kind{{"properties", {{kKind, {{"const", name}}}}}, {"required", {kKind}}};
        const Json allowed{{"$ref", "#/$defs/" + name}};
        schema["properties"][std::string(kKind)] = field_schema(*find_field(kKind, kind));
        // `oneOf` would report only that no kind fits, instead of the mistake.
        schema["allOf"].push_back({{"if", is_of_kind}, {"then", allowed}});
        complete["allOf"].push_back({{"if", is_of_kind}, {"then", {{"$ref", "#/$defs/complete_" + name}}}});
        differences["else"]["anyOf"].push_back(allowed);
        schema["$defs"][name] = file_schema(kind);
        schema["$defs"]["complete_" + name] = complete_schema(kind);
    }
    schema["if"] = {{"required", {kBasedOn}}};
    schema["then"] = differences;
    schema["else"] = complete;
    return schema.dump(2) + "\n";
}

}  // namespace nocbench
