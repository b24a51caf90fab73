// SPDX-License-Identifier: Apache-2.0
// Descriptions of the built-in types, and the tables of functions with which a description begins. `typeid` needs both
// in sources that are compiled with -frtti. Nothing calls these functions: they are for exceptions and dynamic_cast.
#include <typeinfo>

namespace std {
type_info::~type_info() = default;
bool type_info::__is_pointer_p() const { return false; }
bool type_info::__is_function_p() const { return false; }
bool type_info::__do_catch(const type_info*, void**, unsigned) const { return false; }
bool type_info::__do_upcast(const __cxxabiv1::__class_type_info*, void**) const { return false; }
}  // namespace std

// Source of the names: Itanium C++ ABI, 2.9.5. The destructor of the first makes the compiler describe built-in types.
#define NOCBENCH_KIND_OF_TYPE(kind)            \
    class kind : public std::type_info {       \
    public:                                    \
        explicit kind(const char* name);       \
        ~kind() override;                      \
    };                                         \
    kind::~kind() = default;

namespace __cxxabiv1 {
NOCBENCH_KIND_OF_TYPE(__fundamental_type_info)
NOCBENCH_KIND_OF_TYPE(__array_type_info)
NOCBENCH_KIND_OF_TYPE(__function_type_info)
NOCBENCH_KIND_OF_TYPE(__enum_type_info)
NOCBENCH_KIND_OF_TYPE(__pointer_type_info)
NOCBENCH_KIND_OF_TYPE(__pointer_to_member_type_info)
NOCBENCH_KIND_OF_TYPE(__class_type_info)
NOCBENCH_KIND_OF_TYPE(__si_class_type_info)
NOCBENCH_KIND_OF_TYPE(__vmi_class_type_info)
}  // namespace __cxxabiv1
