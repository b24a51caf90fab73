// SPDX-License-Identifier: Apache-2.0
// Text streams for programs on a core, for printing values. The simulator formats numbers, as for printf: streams take
// little memory. The only input is from strings: other reads report its end.
#pragma once
#pragma GCC system_header
#include <bits/ostream_insert.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iosfwd>
#include <string>
#include <type_traits>

namespace std {

class ios_base {
public:
    using fmtflags = unsigned;
    using iostate = unsigned;
    using openmode = unsigned;
    static constexpr fmtflags boolalpha = 1, dec = 2, fixed = 4, hex = 8, left = 16, oct = 32, right = 64,
                              scientific = 128, showbase = 256, showpoint = 512, showpos = 1024, uppercase = 2048,
                              internal = 4096, skipws = 8192, unitbuf = 16384;
    static constexpr fmtflags basefield = dec | oct | hex, adjustfield = left | right | internal,
                              floatfield = fixed | scientific;
    static constexpr iostate goodbit = 0, badbit = 1, eofbit = 2, failbit = 4;
    static constexpr openmode app = 1, ate = 2, binary = 4, in = 8, out = 16, trunc = 32;

    constexpr ios_base() = default;
    ios_base(const ios_base&) = delete;
    ios_base& operator=(const ios_base&) = delete;

    fmtflags flags() const { return flags_; }
    fmtflags flags(fmtflags flags) { return exchange(flags_, flags); }
    fmtflags setf(fmtflags flags) { return exchange(flags_, flags_ | flags); }
    fmtflags setf(fmtflags flags, fmtflags mask) { return exchange(flags_, (flags_ & ~mask) | (flags & mask)); }
    void unsetf(fmtflags mask) { flags_ &= ~mask; }
    streamsize precision() const { return precision_; }
    streamsize precision(streamsize precision) { return exchange(precision_, precision); }
    streamsize width() const { return width_; }
    streamsize width(streamsize width) { return exchange(width_, width); }
    static bool sync_with_stdio(bool = true) { return true; }
    int getloc() const { return 0; }
    int imbue(int) { return 0; }

protected:
    template <typename Value>
    static Value exchange(Value& place, Value value) {
        Value old = place;
        place = value;
        return old;
    }

    fmtflags flags_ = dec | skipws;
    streamsize precision_ = 6;
    streamsize width_ = 0;
    iostate state_ = goodbit;
};

template <typename Character, typename Traits>
class basic_ios : public ios_base {
public:
    Character fill() const { return fill_; }
    Character fill(Character fill) { return exchange(fill_, fill); }
    bool good() const { return state_ == goodbit; }
    bool eof() const { return (state_ & eofbit) != 0; }
    bool fail() const { return (state_ & (failbit | badbit)) != 0; }
    bool bad() const { return (state_ & badbit) != 0; }
    iostate rdstate() const { return state_; }
    void clear(iostate state = goodbit) { state_ = state; }
    void setstate(iostate state) { state_ |= state; }
    explicit operator bool() const { return !fail(); }
    bool operator!() const { return fail(); }
    basic_ios* tie(basic_ios*) { return nullptr; }

protected:
    Character fill_ = ' ';
};

template <typename Character, typename Traits>
class basic_ostream : virtual public basic_ios<Character, Traits> {
public:
    using char_type = Character;
    using traits_type = Traits;

    explicit basic_ostream(FILE* file) : file_(file) {}

    basic_ostream& operator<<(bool value) {
        if (this->flags_ & ios_base::boolalpha) {
            insert_padded(value ? "true" : "false", value ? 4 : 5);
            return *this;
        }
        return *this << static_cast<int>(value);
    }
    basic_ostream& operator<<(short value) { return integer<short, unsigned short>("h", "d", value); }
    basic_ostream& operator<<(unsigned short value) { return integer<unsigned short, unsigned short>("h", "u", value); }
    basic_ostream& operator<<(int value) { return integer<int, unsigned>("", "d", value); }
    basic_ostream& operator<<(unsigned value) { return integer<unsigned, unsigned>("", "u", value); }
    basic_ostream& operator<<(long value) { return integer<long, unsigned long>("l", "d", value); }
    basic_ostream& operator<<(unsigned long value) { return integer<unsigned long, unsigned long>("l", "u", value); }
    basic_ostream& operator<<(long long value) { return integer<long long, unsigned long long>("ll", "d", value); }
    basic_ostream& operator<<(unsigned long long value) {
        return integer<unsigned long long, unsigned long long>("ll", "u", value);
    }
    basic_ostream& operator<<(float value) { return real("", static_cast<double>(value)); }
    basic_ostream& operator<<(double value) { return real("", value); }
    basic_ostream& operator<<(long double value) { return real("L", value); }
    basic_ostream& operator<<(const void* value) {
        char text[16];
        insert_padded(text, static_cast<size_t>(snprintf(text, sizeof text, "%p", value)));
        return *this;
    }
    basic_ostream& operator<<(nullptr_t) { return *this << "nullptr"; }
    basic_ostream& operator<<(basic_ostream& (*change)(basic_ostream&)) { return change(*this); }
    basic_ostream& operator<<(ios_base& (*change)(ios_base&)) {
        change(*this);
        return *this;
    }

    basic_ostream& put(Character c) { return write(&c, 1); }
    basic_ostream& write(const Character* text, streamsize size) {
        if (file_ != nullptr) {
            fwrite(text, 1, static_cast<size_t>(size), file_);
        } else {
            text_.append(text, static_cast<size_t>(size));
        }
        return *this;
    }
    basic_ostream& flush() { return *this; }

    void insert_padded(const Character* text, size_t size) {
        size_t missing = this->width_ > static_cast<streamsize>(size) ? static_cast<size_t>(this->width_) - size : 0;
        this->width_ = 0;
        const bool is_left = (this->flags_ & ios_base::left) != 0;
        if (missing == 0) {
            write(text, static_cast<streamsize>(size));
            return;
        }
        const basic_string<Character, Traits> fill(missing, this->fill_);
        const basic_string<Character, Traits> whole(text, size);
        const basic_string<Character, Traits> padded = is_left ? whole + fill : fill + whole;
        write(padded.data(), static_cast<streamsize>(padded.size()));
    }

protected:
    basic_string<Character, Traits> text_;  // of a stream without a file

private:
    template <typename Value, typename Unsigned>
    basic_ostream& integer(const char* length, const char* conversion, Value value) {
        const bool is_hex = (this->flags_ & ios_base::hex) != 0, is_oct = (this->flags_ & ios_base::oct) != 0;
        char format[12], text[32];
        strcpy(format, "%");
        if ((this->flags_ & ios_base::showpos) && *conversion == 'd') strcat(format, "+");
        if (this->flags_ & ios_base::showbase) strcat(format, "#");
        strcat(format, length);
        strcat(format, is_oct ? "o" : !is_hex ? conversion : this->flags_ & ios_base::uppercase ? "X" : "x");
        const int size = is_hex || is_oct ? snprintf(text, sizeof text, format, static_cast<Unsigned>(value))
                                          : snprintf(text, sizeof text, format, value);
        insert_padded(text, static_cast<size_t>(size));
        return *this;
    }
    template <typename Value>
    basic_ostream& real(const char* length, Value value) {
        const ios_base::fmtflags form = this->flags_ & ios_base::floatfield;
        char format[12], text[64];
        strcpy(format, "%");
        if (this->flags_ & ios_base::showpos) strcat(format, "+");
        if (this->flags_ & ios_base::showpoint) strcat(format, "#");
        strcat(format, ".*");
        strcat(format, length);
        strcat(format, form == ios_base::fixed ? "f" : form == ios_base::scientific ? "e" : form != 0 ? "a" : "g");
        const int size = snprintf(text, sizeof text, format, static_cast<int>(this->precision_), value);
        insert_padded(text, static_cast<size_t>(size) < sizeof text ? static_cast<size_t>(size) : sizeof text - 1);
        return *this;
    }

    FILE* file_;
};

template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, char c) {
    out.insert_padded(&c, 1);
    return out;
}
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, signed char c) {
    return out << static_cast<char>(c);
}
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, unsigned char c) {
    return out << static_cast<char>(c);
}
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, const char* text) {
    out.insert_padded(text, strlen(text));
    return out;
}
template <typename Character, typename Traits>
basic_ostream<Character, Traits>& endl(basic_ostream<Character, Traits>& out) {
    return out.put('\n');
}
template <typename Character, typename Traits>
basic_ostream<Character, Traits>& ends(basic_ostream<Character, Traits>& out) {
    return out.put('\0');
}
template <typename Character, typename Traits>
basic_ostream<Character, Traits>& flush(basic_ostream<Character, Traits>& out) {
    return out;
}

template <typename Character, typename Traits>
class basic_istream : virtual public basic_ios<Character, Traits> {
public:
    using char_type = Character;
    using traits_type = Traits;
    using int_type = typename Traits::int_type;
    using Text = basic_string<Character, Traits>;

    basic_istream() = default;
    explicit basic_istream(const Text* text) : source_(text) {}

    template <typename Value>
    enable_if_t<is_arithmetic_v<Value>, basic_istream&> operator>>(Value& value) {
        if (!skip_space()) return *this;
        if constexpr (sizeof(Value) == 1 && !is_same_v<Value, bool>) {
            value = static_cast<Value>((*source_)[at_++]);
        } else {
            const Character* begin = source_->c_str() + at_;
            Character* end = nullptr;
            if constexpr (is_floating_point_v<Value>) {
                value = static_cast<Value>(strtod(begin, &end));
            } else if constexpr (sizeof(Value) > sizeof(long)) {
                value = is_signed_v<Value> ? static_cast<Value>(strtoll(begin, &end, base()))
                                           : static_cast<Value>(strtoull(begin, &end, base()));
            } else {
                value = is_signed_v<Value> ? static_cast<Value>(strtol(begin, &end, base()))
                                           : static_cast<Value>(strtoul(begin, &end, base()));
            }
            if (end == begin) this->setstate(ios_base::failbit);
            at_ += static_cast<size_t>(end - begin);
            if (at_ == source_->size()) this->setstate(ios_base::eofbit);
        }
        return *this;
    }
    basic_istream& operator>>(ios_base& (*change)(ios_base&)) {
        change(*this);
        return *this;
    }
    basic_istream& operator>>(basic_istream& (*change)(basic_istream&)) { return change(*this); }

    int_type get() {
        if (!has_more()) {
            this->setstate(ios_base::eofbit | ios_base::failbit);
            return Traits::eof();
        }
        return Traits::to_int_type((*source_)[at_++]);
    }
    basic_istream& get(Character& c) {
        const int_type got = get();
        if (got != Traits::eof()) c = Traits::to_char_type(got);
        return *this;
    }
    int_type peek() { return has_more() ? Traits::to_int_type((*source_)[at_]) : Traits::eof(); }
    basic_istream& unget() {
        if (at_ > 0) --at_;
        return *this;
    }
    basic_istream& putback(Character) { return unget(); }
    basic_istream& ignore(streamsize size = 1, int_type delimiter = Traits::eof()) {
        while (size-- > 0 && has_more() && Traits::to_int_type((*source_)[at_++]) != delimiter) {
        }
        return *this;
    }

    /// Takes characters up to the delimiter, or a word if there is none. Returns whether there were any.
    bool take(Text& text, int_type delimiter) {
        const bool is_word = delimiter == Traits::eof();
        text.clear();
        if (is_word ? !skip_space() : !has_more()) {
            this->setstate(ios_base::eofbit | ios_base::failbit);
            return false;
        }
        for (; has_more(); ++at_) {
            const Character c = (*source_)[at_];
            if (is_word ? isspace(static_cast<unsigned char>(c)) != 0 : Traits::to_int_type(c) == delimiter) {
                at_ += !is_word;
                return true;
            }
            text += c;
        }
        this->setstate(ios_base::eofbit);
        return true;
    }
    bool skip_space() {
        while (has_more() && isspace(static_cast<unsigned char>((*source_)[at_]))) ++at_;
        if (has_more() && !this->fail()) return true;
        this->setstate(ios_base::eofbit | ios_base::failbit);
        return false;
    }

protected:
    size_t at_ = 0;

private:
    bool has_more() const { return source_ != nullptr && at_ < source_->size(); }
    int base() const {
        const ios_base::fmtflags base = this->flags_ & ios_base::basefield;
        return base == ios_base::hex ? 16 : base == ios_base::oct ? 8 : 10;
    }

    const Text* source_ = nullptr;  // text of a string stream, the only kind of input
};
// Preferred to the generic version in basic_string.tcc.
template <typename Traits, typename Allocator>
basic_istream<char, Traits>& getline(basic_istream<char, Traits>& in, basic_string<char, Traits, Allocator>& text,
                                     char delimiter) {
    in.take(text, Traits::to_int_type(delimiter));
    return in;
}
template <typename Traits, typename Allocator>
basic_istream<char, Traits>& getline(basic_istream<char, Traits>& in, basic_string<char, Traits, Allocator>& text) {
    return getline(in, text, '\n');
}
template <typename Traits, typename Allocator>
basic_istream<char, Traits>& operator>>(basic_istream<char, Traits>& in, basic_string<char, Traits, Allocator>& text) {
    in.take(text, Traits::eof());
    return in;
}
template <typename Character, typename Traits>
basic_istream<Character, Traits>& ws(basic_istream<Character, Traits>& in) {
    while (isspace(in.peek())) in.ignore();
    return in;
}

template <typename Character, typename Traits>
class basic_iostream : public basic_istream<Character, Traits>, public basic_ostream<Character, Traits> {
public:
    explicit basic_iostream(FILE* file)
        : basic_istream<Character, Traits>(&this->text_), basic_ostream<Character, Traits>(file) {}
};

_GLIBCXX_BEGIN_NAMESPACE_CXX11
template <typename Character, typename Traits, typename Allocator>
class basic_ostringstream : public basic_ostream<Character, Traits> {
public:
    explicit basic_ostringstream(const basic_string<Character, Traits>& text = {}, ios_base::openmode mode = 0)
        : basic_ostream<Character, Traits>(nullptr) {
        if (mode & (ios_base::ate | ios_base::app)) this->text_ = text;
    }
    basic_string<Character, Traits> str() const { return this->text_; }
    void str(const basic_string<Character, Traits>& text) { this->text_ = text; }
};
template <typename Character, typename Traits, typename Allocator>
class basic_istringstream : public basic_istream<Character, Traits> {
public:
    explicit basic_istringstream(const basic_string<Character, Traits>& text = {}, ios_base::openmode = ios_base::in)
        : basic_istream<Character, Traits>(&own_), own_(text) {}
    basic_string<Character, Traits> str() const { return own_; }
    void str(const basic_string<Character, Traits>& text) {
        own_ = text;
        this->at_ = 0;
    }

private:
    basic_string<Character, Traits> own_;
};
template <typename Character, typename Traits, typename Allocator>
class basic_stringstream : public basic_iostream<Character, Traits> {
public:
    explicit basic_stringstream(const basic_string<Character, Traits>& text = {},
                                ios_base::openmode = ios_base::in | ios_base::out)
        : basic_iostream<Character, Traits>(nullptr) {
        this->text_ = text;
    }
    basic_string<Character, Traits> str() const { return this->text_; }
    void str(const basic_string<Character, Traits>& text) {
        this->text_ = text;
        this->at_ = 0;
    }
};
_GLIBCXX_END_NAMESPACE_CXX11

#define NOCBENCH_MANIPULATOR(name, flag, mask)       \
    inline ios_base& name(ios_base& stream) {        \
        stream.setf(ios_base::flag, ios_base::mask); \
        return stream;                               \
    }
NOCBENCH_MANIPULATOR(dec, dec, basefield)
NOCBENCH_MANIPULATOR(hex, hex, basefield)
NOCBENCH_MANIPULATOR(oct, oct, basefield)
NOCBENCH_MANIPULATOR(left, left, adjustfield)
NOCBENCH_MANIPULATOR(right, right, adjustfield)
NOCBENCH_MANIPULATOR(internal, internal, adjustfield)
NOCBENCH_MANIPULATOR(fixed, fixed, floatfield)
NOCBENCH_MANIPULATOR(scientific, scientific, floatfield)
NOCBENCH_MANIPULATOR(hexfloat, floatfield, floatfield)
NOCBENCH_MANIPULATOR(boolalpha, boolalpha, boolalpha)
NOCBENCH_MANIPULATOR(showbase, showbase, showbase)
NOCBENCH_MANIPULATOR(showpoint, showpoint, showpoint)
NOCBENCH_MANIPULATOR(showpos, showpos, showpos)
NOCBENCH_MANIPULATOR(uppercase, uppercase, uppercase)
NOCBENCH_MANIPULATOR(unitbuf, unitbuf, unitbuf)
#undef NOCBENCH_MANIPULATOR
inline ios_base& defaultfloat(ios_base& stream) {
    stream.unsetf(ios_base::floatfield);
    return stream;
}
#define NOCBENCH_MANIPULATOR(name, flag)      \
    inline ios_base& name(ios_base& stream) { \
        stream.unsetf(ios_base::flag);        \
        return stream;                        \
    }
NOCBENCH_MANIPULATOR(noshowbase, showbase)
NOCBENCH_MANIPULATOR(noshowpoint, showpoint)
NOCBENCH_MANIPULATOR(nouppercase, uppercase)
NOCBENCH_MANIPULATOR(nounitbuf, unitbuf)
NOCBENCH_MANIPULATOR(noboolalpha, boolalpha)
NOCBENCH_MANIPULATOR(noshowpos, showpos)
#undef NOCBENCH_MANIPULATOR

struct _Setw {
    int value;
};
struct _Setprecision {
    int value;
};
struct _Setfill {
    char value;
};
struct _Setbase {
    int value;
};
inline _Setw setw(int value) { return {value}; }
inline _Setprecision setprecision(int value) { return {value}; }
inline _Setfill setfill(char value) { return {value}; }
inline _Setbase setbase(int value) { return {value}; }
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, _Setw change) {
    out.width(change.value);
    return out;
}
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, _Setprecision change) {
    out.precision(change.value);
    return out;
}
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, _Setfill change) {
    out.fill(change.value);
    return out;
}
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, _Setbase change) {
    out.setf(change.value == 16  ? ios_base::hex
             : change.value == 8 ? ios_base::oct
                                 : ios_base::dec,
             ios_base::basefield);
    return out;
}

struct _Setflags {
    ios_base::fmtflags flags;
    ios_base::fmtflags mask;
};
inline _Setflags setiosflags(ios_base::fmtflags flags) { return {flags, flags}; }
inline _Setflags resetiosflags(ios_base::fmtflags flags) { return {0, flags}; }
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, _Setflags change) {
    out.setf(change.flags, change.mask);
    return out;
}

struct _Put_time {
    const tm* value;
    const char* format;
};
inline _Put_time put_time(const tm* value, const char* format) { return {value, format}; }
template <typename Traits>
basic_ostream<char, Traits>& operator<<(basic_ostream<char, Traits>& out, _Put_time time) {
    char text[64];
    out.write(text, static_cast<streamsize>(strftime(text, sizeof text, time.format, time.value)));
    return out;
}

inline ostream cout(stdout);
inline ostream cerr(stderr);
inline ostream clog(stderr);
inline istream cin;

}  // namespace std
