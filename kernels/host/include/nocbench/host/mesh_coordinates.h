// Coordinates of chips in a mesh. Only meshes of one chip exist here. Names follow tt-metal.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tt::tt_metal::distributed {

/// Numbers, one for each dimension of a mesh.
class MeshNumbers {
public:
    [[nodiscard]] std::size_t dims() const { return values_.size(); }
    [[nodiscard]] std::uint32_t operator[](std::size_t dimension) const { return values_.at(dimension); }
    [[nodiscard]] auto begin() const { return values_.begin(); }
    [[nodiscard]] auto end() const { return values_.end(); }
    auto operator<=>(const MeshNumbers&) const = default;

protected:
    explicit MeshNumbers(std::vector<std::uint32_t> values) : values_(std::move(values)) {}

    std::vector<std::uint32_t> values_;
};

class MeshShape : public MeshNumbers {
public:
    explicit MeshShape(std::uint32_t size) : MeshNumbers({size}) {}
    MeshShape(std::uint32_t rows, std::uint32_t columns) : MeshNumbers({rows, columns}) {}
    MeshShape(std::initializer_list<std::uint32_t> sizes) : MeshNumbers(sizes) {}
    [[nodiscard]] std::size_t mesh_size() const {
        return std::accumulate(begin(), end(), std::size_t{1}, std::multiplies<>());
    }
};

class MeshCoordinate : public MeshNumbers {
public:
    explicit MeshCoordinate(std::uint32_t coordinate) : MeshNumbers({coordinate}) {}
    MeshCoordinate(std::uint32_t row, std::uint32_t column) : MeshNumbers({row, column}) {}
    explicit MeshCoordinate(std::span<const std::uint32_t> coordinates)
        : MeshNumbers({coordinates.begin(), coordinates.end()}) {}
    [[nodiscard]] static MeshCoordinate zero_coordinate(std::size_t dimensions) {
        return MeshCoordinate(std::vector<std::uint32_t>(dimensions));
    }
};

/// Box of coordinates, both corners included.
class MeshCoordinateRange {
public:
    explicit MeshCoordinateRange(const MeshShape& shape)
        : start_(MeshCoordinate::zero_coordinate(shape.dims())), end_(last_of(shape)) {}
    explicit MeshCoordinateRange(const MeshCoordinate& coordinate) : start_(coordinate), end_(coordinate) {}
    MeshCoordinateRange(const MeshCoordinate& start, const MeshCoordinate& end) : start_(start), end_(end) {}
    [[nodiscard]] const MeshCoordinate& start_coord() const { return start_; }
    [[nodiscard]] const MeshCoordinate& end_coord() const { return end_; }
    [[nodiscard]] bool contains(const MeshCoordinate& coordinate) const {
        return start_ <= coordinate && coordinate <= end_;
    }
    auto operator<=>(const MeshCoordinateRange&) const = default;

private:
    static MeshCoordinate last_of(const MeshShape& shape) {
        std::vector<std::uint32_t> last(shape.begin(), shape.end());
        std::ranges::transform(last, last.begin(), [](std::uint32_t size) { return size - 1; });
        return MeshCoordinate(last);
    }

    MeshCoordinate start_;
    MeshCoordinate end_;
};

class MeshDeviceConfig {
public:
    explicit MeshDeviceConfig(const MeshShape& shape) : shape_(shape) {}
    [[nodiscard]] const MeshShape& mesh_shape() const { return shape_; }

private:
    MeshShape shape_;
};

}  // namespace tt::tt_metal::distributed

template <>
struct std::hash<tt::tt_metal::distributed::MeshCoordinateRange> {
    std::size_t operator()(const tt::tt_metal::distributed::MeshCoordinateRange& range) const noexcept {
        return std::accumulate(range.start_coord().begin(), range.start_coord().end(), std::size_t{0});
    }
};
