// pes: 2
// expect: Hello from 0, 3.14159 and 2.50 or 1.0e+03
// expect: [   42|42   |0x2a|true|x]
// expect: PASS streams
#include <shmem.h>

#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <string>

int main() {
    std::ios::sync_with_stdio(false);
    shmem_init();
    const int me = shmem_my_pe();
    if (me == 0) {
        std::cout << "Hello from " << me << ", " << 3.14159265 << " and " << std::fixed << std::setprecision(2) << 2.5
                  << " or " << std::scientific << std::setprecision(1) << 1000.0F << std::endl;
        std::cout << '[' << std::setw(5) << 42 << '|' << std::left << std::setw(5) << 42 << '|' << std::hex
                  << std::showbase << 42 << '|' << std::boolalpha << true << '|' << std::string("x") << "]\n";
    }
    shmem_barrier_all();
    std::map<int, std::string> names;
    for (int i = 0; i < 20; ++i) names[(i * 7) % 20] = std::to_string(i);
    for (int i = 0; i < 20; i += 3) names.erase(i);
    std::set<int> numbers;
    std::list<int> order;
    int last = -1;
    bool ok = names.size() == 13;
    for (const auto& [key, name] : names) {
        ok = ok && key > last && key % 3 != 0 && std::stoi(name) * 7 % 20 == key;
        last = key;
        numbers.insert(-key);
        order.push_front(key);
    }
    order.sort();
    ok = ok && *numbers.begin() == -19 && order.front() == 1 && order.back() == 19;
    std::ostringstream text;
    text << "PE" << std::setw(3) << std::setfill('0') << me << '/' << -1.5;
    ok = ok && text.str() == "PE00" + std::to_string(me) + "/-1.5";
    if (me == 1) std::cout << (ok ? "PASS" : "FAIL") << " streams" << std::endl;
    if (!ok) std::cerr << "FAIL: " << text.str() << '\n';
    shmem_finalize();
    return 0;
}
