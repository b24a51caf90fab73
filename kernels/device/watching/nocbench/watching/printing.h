// SPDX-License-Identifier: Apache-2.0
// Printing by kernels: `DPRINT << "pages " << n << ENDL()` and `DPRINT("pages {}\n", n)`.

#pragma once

#include <stdint.h>

#include "nocbench/watching/trap.h"
#ifdef NOCBENCH_TT_METAL
#include NOCBENCH_DATAFLOW_API
#else
#include "nocbench/circular_buffers.h"
#include "tensix_types.h"
#endif

namespace nocbench {

FORCE_INLINE void print_number(NumberKind kind, uint32_t low, uint32_t high = 0) {
    trap<Trap::print_number>(static_cast<uint32_t>(kind), low, high);
}

}  // namespace nocbench

struct ENDL {};
struct HEX {};
struct DEC {};
struct OCT {};
struct FIXED {};
struct DEFAULTFLOAT {};
struct BIN {};
struct SETPRECISION {
    constexpr explicit SETPRECISION(int) {}
};
struct SETW {
    constexpr explicit SETW(int, bool = true) {}
};
struct F32 {
    uint32_t bits;
    constexpr explicit F32(uint32_t value) : bits(value) {}
    FORCE_INLINE explicit F32(float value) : bits(__builtin_bit_cast(uint32_t, value)) {}
};
struct U32 {
    uint32_t value;
    constexpr explicit U32(uint32_t value_in) : value(value_in) {}
};
struct U32_ARRAY {
    const volatile uint32_t* values;
    int length;
    constexpr U32_ARRAY(const volatile uint32_t* values_in, int length_in) : values(values_in), length(length_in) {}
};
struct BF16 {
    uint16_t bits;
    constexpr explicit BF16(uint16_t value) : bits(value) {}
};
using bf16_t = BF16;

#ifdef NOCBENCH_TT_METAL
#include <hostdevcommon/dprint_common.h>  // SliceRange
#else
/// Bytes that the device keeps of a RISC's unread output. Here, output has no bound.
#define DPRINT_BUFFER_SIZE 204

/// Selection of values in a circular buffer: begin, end and step of rows and columns.
struct SliceRange {
    uint8_t h0, h1, hs, w0, w1, ws;
    static constexpr SliceRange h0_w0_32() { return {0, 1, 1, 0, 32, 1}; }
    static constexpr SliceRange h0_32_w0() { return {0, 32, 1, 0, 1, 1}; }
    static constexpr SliceRange hw0_32_8() { return {0, 32, 8, 0, 32, 8}; }
    static constexpr SliceRange hw0_32_16() { return {0, 32, 16, 0, 32, 16}; }
    static constexpr SliceRange hw0_32_4() { return {0, 32, 4, 0, 32, 4}; }
    static constexpr SliceRange hw041() { return {0, 4, 1, 0, 4, 1}; }
};
#endif
constexpr bool TSLICE_INPUT_CB = true;
constexpr bool TSLICE_OUTPUT_CB = false;
constexpr bool TSLICE_RD_PTR = true;
constexpr bool TSLICE_WR_PTR = false;

/// Tile of values of two or four bytes, printed as numbers. Tiles have four faces of 16 x 16 values.
struct TileSlice {
    uint32_t buffer;
    uint32_t tile;
    SliceRange range;
    uint32_t address;
    FORCE_INLINE TileSlice(uint32_t buffer_in, uint32_t tile_in, const SliceRange& range_in, bool endl_rows = true,
                           bool print_untilized = true)
        : TileSlice(buffer_in, tile_in, range_in, true, true, endl_rows, print_untilized) {}
    FORCE_INLINE TileSlice(uint32_t buffer_in, uint32_t tile_in, const SliceRange& range_in, bool, bool by_read_pointer,
                           bool, bool)
        : buffer(buffer_in),
          tile(tile_in),
          range(range_in),
          address(by_read_pointer ? get_read_ptr(buffer_in) : get_write_ptr(buffer_in)) {}
};
#define TSLICE(...) TileSlice(__VA_ARGS__)

namespace nocbench {

class Printer {
public:
    FORCE_INLINE const Printer& operator<<(const char* text) const {
        trap<Trap::print_text>(address_of(text));
        return *this;
    }
    FORCE_INLINE const Printer& operator<<(char* text) const { return *this << static_cast<const char*>(text); }
    FORCE_INLINE const Printer& operator<<(ENDL) const { return *this << "\n"; }
    FORCE_INLINE const Printer& operator<<(HEX) const { return radix(true); }
    FORCE_INLINE const Printer& operator<<(DEC) const { return radix(false); }
    FORCE_INLINE const Printer& operator<<(OCT) const { return *this; }
    FORCE_INLINE const Printer& operator<<(BIN) const { return *this; }
    FORCE_INLINE const Printer& operator<<(FIXED) const { return *this; }
    FORCE_INLINE const Printer& operator<<(DEFAULTFLOAT) const { return *this; }
    FORCE_INLINE const Printer& operator<<(SETPRECISION) const { return *this; }
    FORCE_INLINE const Printer& operator<<(SETW) const { return *this; }
    FORCE_INLINE const Printer& operator<<(F32 value) const { return number(NumberKind::float_bits, value.bits); }
    FORCE_INLINE const Printer& operator<<(BF16 value) const {
        return number(NumberKind::float_bits, static_cast<uint32_t>(value.bits) << 16);
    }
    FORCE_INLINE const Printer& operator<<(U32 value) const { return natural(value.value); }
    FORCE_INLINE const Printer& operator<<(const U32_ARRAY& array) const {
        for (int index = 0; index < array.length; ++index) {
            natural(array.values[index]) << " ";
        }
        return *this;
    }
    FORCE_INLINE const Printer& operator<<(float value) const {
        return number(NumberKind::float_bits, __builtin_bit_cast(uint32_t, value));
    }
    FORCE_INLINE const Printer& operator<<(char value) const {
        return number(NumberKind::character, static_cast<uint8_t>(value));
    }
    FORCE_INLINE const Printer& operator<<(bool value) const { return natural(value); }
    FORCE_INLINE const Printer& operator<<(unsigned char value) const { return natural(value); }
    FORCE_INLINE const Printer& operator<<(unsigned short value) const { return natural(value); }
    FORCE_INLINE const Printer& operator<<(unsigned int value) const { return natural(value); }
    FORCE_INLINE const Printer& operator<<(unsigned long value) const { return natural(value); }
    FORCE_INLINE const Printer& operator<<(signed char value) const { return integer(value); }
    FORCE_INLINE const Printer& operator<<(short value) const { return integer(value); }
    FORCE_INLINE const Printer& operator<<(int value) const { return integer(value); }
    FORCE_INLINE const Printer& operator<<(long value) const { return integer(value); }
    FORCE_INLINE const Printer& operator<<(unsigned long long value) const {
        return number(NumberKind::unsigned_64_bit, static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32));
    }
    FORCE_INLINE const Printer& operator<<(long long value) const {
        return number(NumberKind::signed_64_bit, static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32));
    }
    FORCE_INLINE const Printer& operator<<(const volatile void* value) const {
        return number(NumberKind::hexadecimal, reinterpret_cast<uint32_t>(value));
    }

    const Printer& operator<<(const TileSlice& slice) const {
        const bool words = get_tile_size(slice.buffer) == 4096;
        const bool is_float = static_cast<DataFormat>(get_dataformat(slice.buffer)) == DataFormat::Float32;
        const bool is_bfloat = static_cast<DataFormat>(get_dataformat(slice.buffer)) == DataFormat::Float16_b;
        const uint32_t start = slice.address + slice.tile * get_tile_size(slice.buffer);
        for (uint32_t row = slice.range.h0; row < slice.range.h1; row += slice.range.hs) {
            for (uint32_t column = slice.range.w0; column < slice.range.w1; column += slice.range.ws) {
                const uint32_t index = (row / 16) * 512 + (column / 16) * 256 + (row % 16) * 16 + column % 16;
                if (words) {
                    const uint32_t value = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(start)[index];
                    print_number(is_float ? NumberKind::float_bits : NumberKind::unsigned_decimal, value);
                } else {
                    const uint32_t value = reinterpret_cast<volatile tt_l1_ptr uint16_t*>(start)[index];
                    print_number(is_bfloat ? NumberKind::float_bits : NumberKind::unsigned_decimal,
                                 is_bfloat ? value << 16 : value);
                }
                *this << " ";
            }
            *this << "\n";
        }
        return *this;
    }

    /// Prints text, and replaces each pair of braces by the next value.
    template <typename... Values>
    FORCE_INLINE void operator()(const char* text, const Values&... values) const {
        (void)((text = print_up_to_braces(text), *this << values), ...);
        print_up_to_braces(text);
    }

private:
    /// Prints up to the first braces, in pieces, since the text is constant. Returns the text after the braces.
    __attribute__((noinline)) static const char* print_up_to_braces(const char* text) {
        char piece[17];
        uint32_t length = 0;
        while (*text != '\0' && *text != '{') {
            piece[length++] = *text++;
            if (length == sizeof(piece) - 1 || *text == '\0' || *text == '{') {
                piece[length] = '\0';
                trap<Trap::print_text>(address_of(piece));
                length = 0;
            }
        }
        while (*text != '\0' && *text++ != '}') {
        }
        return text;
    }

    FORCE_INLINE const Printer& number(NumberKind kind, uint32_t low, uint32_t high = 0) const {
        print_number(kind, low, high);
        return *this;
    }
    FORCE_INLINE const Printer& natural(uint32_t value) const {
        return number(hexadecimal_ ? NumberKind::hexadecimal : NumberKind::unsigned_decimal, value);
    }
    FORCE_INLINE const Printer& integer(int32_t value) const {
        return number(hexadecimal_ ? NumberKind::hexadecimal : NumberKind::signed_decimal, value);
    }
    FORCE_INLINE const Printer& radix(bool hexadecimal) const {
        hexadecimal_ = hexadecimal;
        return *this;
    }

    mutable bool hexadecimal_ = false;
};

}  // namespace nocbench

/// Each use prints with its own settings.
#define DPRINT nocbench::Printer()
#define DEVICE_PRINT nocbench::Printer()

#if defined(COMPILE_FOR_BRISC)
#define DPRINT_DATA0(statement) statement
#define DPRINT_DATA1(statement)
#else
#define DPRINT_DATA0(statement)
#define DPRINT_DATA1(statement) statement
#endif
#define DEVICE_PRINT_DATA0(...) DPRINT_DATA0(DEVICE_PRINT(__VA_ARGS__))
#define DEVICE_PRINT_DATA1(...) DPRINT_DATA1(DEVICE_PRINT(__VA_ARGS__))
#define DEVICE_PRINT_UNPACK(...)
#define DEVICE_PRINT_MATH(...)
#define DEVICE_PRINT_PACK(...)
#define CB_RD_PTR(id) get_read_ptr(id)
#define CB_WR_PTR(id) get_write_ptr(id)
#define DPRINT_UNPACK(statement)
#define DPRINT_MATH(statement)
#define DPRINT_PACK(statement)
