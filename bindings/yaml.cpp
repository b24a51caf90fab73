#include "bindings/yaml.h"

#include "device_model/arch/yaml_document.h"

namespace py = pybind11;

namespace nocbench::bindings {

namespace {

py::dict describe_node(const YAML::Node& node) {
    const TextPosition position = position_of(node.Mark());
    py::dict result;
    result["line"] = position.line;
    result["column"] = position.column;
    if (node.IsScalar()) {
        result["kind"] = "text";
        result["value"] = node.Scalar();
    } else if (node.IsSequence()) {
        py::list items;
        for (const auto& item : node) {
            items.append(describe_node(item));
        }
        result["kind"] = "list";
        result["value"] = items;
    } else if (node.IsMap()) {
        py::list pairs;
        for (const auto& pair : node) {
            pairs.append(py::make_tuple(describe_node(pair.first), describe_node(pair.second)));
        }
        result["kind"] = "mapping";
        result["value"] = pairs;
    } else {
        result["kind"] = "nothing";
        result["value"] = py::none();
    }
    return result;
}

}  // namespace

py::dict read_yaml(const std::string& path, const std::string& what) {
    return describe_node(read_yaml_document(path, what));
}

}  // namespace nocbench::bindings
