// Texts parsed and composed by streams, and values moved by stream iterators.
// pes: 1 4
// expect: 10 -20 31 350 word [next line,with,commas]
// expect: <next line><with><commas>last, end
// expect: 3;2;1;3
// expect: fail 0
// expect: 2.2 2.25
// expect: PASS
#include <shmem.h>

#include <algorithm>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

int main() {
    shmem_init();
    if (shmem_my_pe() == 0) {
        std::istringstream in("10 -20 0x1f 3.5e2 word\nnext line,with,commas\nlast");
        int a;
        long long b;
        unsigned h;
        double d;
        std::string word, line;
        in >> a >> b >> std::hex >> h >> std::dec >> d >> word;
        std::getline(in, line);
        std::getline(in, line);
        std::cout << a << ' ' << b << ' ' << h << ' ' << d << ' ' << word << " [" << line << "]\n";
        std::istringstream parts(line);
        for (std::string part; std::getline(parts, part, ',');) std::cout << '<' << part << '>';
        std::getline(in, line);
        std::cout << line << (in.eof() ? "," : " FAIL") << (std::getline(in, line) ? " FAIL" : " end") << '\n';

        std::stringstream both;
        both << 1 << ' ' << 2 << ' ' << 3;
        const std::vector<int> values{std::istream_iterator<int>(both), std::istream_iterator<int>()};
        std::copy(values.rbegin(), values.rend(), std::ostream_iterator<int>(std::cout, ";"));
        std::cout << values.size() << '\n';
        both.clear();
        both.str("");
        both << "x";
        char c = ' ';
        if (!(both >> c) || c != 'x' || both.str() != "x") std::cout << "FAIL\n";

        int kept = 5;
        std::istringstream nothing("abc");
        if (!(nothing >> kept)) std::cout << "fail " << kept << '\n';
        std::cout << std::setiosflags(std::ios::fixed) << std::setprecision(1) << 2.25;
        std::cout << std::resetiosflags(std::ios::fixed) << std::setprecision(6) << ' ' << 2.25 << '\n';
        const std::time_t begin = 0;
        std::ostringstream out("at ", std::ios::ate);
        out << std::put_time(std::gmtime(&begin), "%F");
        std::cout << (out.str() == "at 1970-01-01" ? "PASS" : "FAIL") << std::endl;
    }
    shmem_barrier_all();
    shmem_finalize();
}
