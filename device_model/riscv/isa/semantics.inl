// Semantics of operations, each rule once. Define any of these macros before including this file, which undefines all
// of them at its end. `a`, `b` and `c` are the values of the sources and `immediate` the value in the instruction, as
// unsigned numbers; `mode()` is the rounding mode.
//
//   NOCBENCH_RISCV_RESULT(operation, value)           result of an operation on integer registers
//   NOCBENCH_RISCV_PRODUCT(operation, value)          result of a multiplication
//   NOCBENCH_RISCV_QUOTIENT(operation, value)         result of a division
//   NOCBENCH_RISCV_BRANCH(operation, condition)       true if a branch is taken
//   NOCBENCH_RISCV_LOAD(operation, type)              loaded type, extended to a register
//   NOCBENCH_RISCV_STORE(operation, type)             stored type, of `b`
//   NOCBENCH_RISCV_ATOMIC(operation, value)           new value of `a` in memory; `b` is the operand
//   NOCBENCH_RISCV_FLOAT(operation, result)           a FloatResult
//   NOCBENCH_RISCV_FLOAT_QUOTIENT(operation, result)  a FloatResult of a division or a square root

// NOLINTBEGIN(bugprone-branch-clone): macros may treat all operations of a kind alike.

#ifndef NOCBENCH_RISCV_RESULT
#define NOCBENCH_RISCV_RESULT(...)
#endif
#ifndef NOCBENCH_RISCV_PRODUCT
#define NOCBENCH_RISCV_PRODUCT(...)
#endif
#ifndef NOCBENCH_RISCV_QUOTIENT
#define NOCBENCH_RISCV_QUOTIENT(...)
#endif
#ifndef NOCBENCH_RISCV_BRANCH
#define NOCBENCH_RISCV_BRANCH(...)
#endif
#ifndef NOCBENCH_RISCV_LOAD
#define NOCBENCH_RISCV_LOAD(...)
#endif
#ifndef NOCBENCH_RISCV_STORE
#define NOCBENCH_RISCV_STORE(...)
#endif
#ifndef NOCBENCH_RISCV_ATOMIC
#define NOCBENCH_RISCV_ATOMIC(...)
#endif
#ifndef NOCBENCH_RISCV_FLOAT
#define NOCBENCH_RISCV_FLOAT(...)
#endif
#ifndef NOCBENCH_RISCV_FLOAT_QUOTIENT
#define NOCBENCH_RISCV_FLOAT_QUOTIENT(...)
#endif

NOCBENCH_RISCV_RESULT(lui, immediate)
NOCBENCH_RISCV_RESULT(addi, a + immediate)
NOCBENCH_RISCV_RESULT(slti, slt(a, immediate))
NOCBENCH_RISCV_RESULT(sltiu, sltu(a, immediate))
NOCBENCH_RISCV_RESULT(xori, a ^ immediate)
NOCBENCH_RISCV_RESULT(ori, a | immediate)
NOCBENCH_RISCV_RESULT(andi, (a & immediate))
NOCBENCH_RISCV_RESULT(slli, sll(a, immediate))
NOCBENCH_RISCV_RESULT(srli, srl(a, immediate))
NOCBENCH_RISCV_RESULT(srai, sra(a, immediate))
NOCBENCH_RISCV_RESULT(add, a + b)
NOCBENCH_RISCV_RESULT(sub, a - b)
NOCBENCH_RISCV_RESULT(sll, sll(a, b))
NOCBENCH_RISCV_RESULT(slt, slt(a, b))
NOCBENCH_RISCV_RESULT(sltu, sltu(a, b))
NOCBENCH_RISCV_RESULT(xor_, a ^ b)
NOCBENCH_RISCV_RESULT(srl, srl(a, b))
NOCBENCH_RISCV_RESULT(sra, sra(a, b))
NOCBENCH_RISCV_RESULT(or_, a | b)
NOCBENCH_RISCV_RESULT(and_, (a & b))
NOCBENCH_RISCV_RESULT(sh1add, (a << 1) + b)
NOCBENCH_RISCV_RESULT(sh2add, (a << 2) + b)
NOCBENCH_RISCV_RESULT(sh3add, (a << 3) + b)
NOCBENCH_RISCV_RESULT(andn, a & ~b)
NOCBENCH_RISCV_RESULT(orn, a | ~b)
NOCBENCH_RISCV_RESULT(xnor, ~(a ^ b))
NOCBENCH_RISCV_RESULT(clz, clz(a))
NOCBENCH_RISCV_RESULT(ctz, ctz(a))
NOCBENCH_RISCV_RESULT(cpop, cpop(a))
NOCBENCH_RISCV_RESULT(max, riscv::max(a, b))
NOCBENCH_RISCV_RESULT(maxu, maxu(a, b))
NOCBENCH_RISCV_RESULT(min, riscv::min(a, b))
NOCBENCH_RISCV_RESULT(minu, minu(a, b))
NOCBENCH_RISCV_RESULT(sext_b, sext_b(a))
NOCBENCH_RISCV_RESULT(sext_h, sext_h(a))
NOCBENCH_RISCV_RESULT(zext_h, zext_h(a))
NOCBENCH_RISCV_RESULT(rol, rol(a, b))
NOCBENCH_RISCV_RESULT(ror, ror(a, b))
NOCBENCH_RISCV_RESULT(rori, ror(a, immediate))
NOCBENCH_RISCV_RESULT(orc_b, orc_b(a))
NOCBENCH_RISCV_RESULT(rev8, rev8(a))

NOCBENCH_RISCV_PRODUCT(mul, (a * b))
NOCBENCH_RISCV_PRODUCT(mulh, mulh(a, b))
NOCBENCH_RISCV_PRODUCT(mulhsu, mulhsu(a, b))
NOCBENCH_RISCV_PRODUCT(mulhu, mulhu(a, b))

NOCBENCH_RISCV_QUOTIENT(div, riscv::div(a, b))
NOCBENCH_RISCV_QUOTIENT(divu, divu(a, b))
NOCBENCH_RISCV_QUOTIENT(rem, rem(a, b))
NOCBENCH_RISCV_QUOTIENT(remu, remu(a, b))

NOCBENCH_RISCV_BRANCH(beq, a == b)
NOCBENCH_RISCV_BRANCH(bne, a != b)
NOCBENCH_RISCV_BRANCH(blt, as_signed(a) < as_signed(b))
NOCBENCH_RISCV_BRANCH(bge, as_signed(a) >= as_signed(b))
NOCBENCH_RISCV_BRANCH(bltu, a < b)
NOCBENCH_RISCV_BRANCH(bgeu, a >= b)

NOCBENCH_RISCV_LOAD(lb, std::int8_t)
NOCBENCH_RISCV_LOAD(lbu, std::uint8_t)
NOCBENCH_RISCV_LOAD(lh, std::int16_t)
NOCBENCH_RISCV_LOAD(lhu, std::uint16_t)
NOCBENCH_RISCV_LOAD(lw, std::uint32_t)
NOCBENCH_RISCV_LOAD(flw, std::uint32_t)

NOCBENCH_RISCV_STORE(sb, std::uint8_t)
NOCBENCH_RISCV_STORE(sh, std::uint16_t)
NOCBENCH_RISCV_STORE(sw, std::uint32_t)
NOCBENCH_RISCV_STORE(fsw, std::uint32_t)

NOCBENCH_RISCV_ATOMIC(amoswap_w, b)
NOCBENCH_RISCV_ATOMIC(amoadd_w, a + b)
NOCBENCH_RISCV_ATOMIC(amoxor_w, a ^ b)
NOCBENCH_RISCV_ATOMIC(amoand_w, (a & b))
NOCBENCH_RISCV_ATOMIC(amoor_w, a | b)
NOCBENCH_RISCV_ATOMIC(amomin_w, riscv::min(a, b))
NOCBENCH_RISCV_ATOMIC(amomax_w, riscv::max(a, b))
NOCBENCH_RISCV_ATOMIC(amominu_w, minu(a, b))
NOCBENCH_RISCV_ATOMIC(amomaxu_w, maxu(a, b))

NOCBENCH_RISCV_FLOAT(fmadd_s, fmadd_s(a, b, c, mode()))
NOCBENCH_RISCV_FLOAT(fmsub_s, fmsub_s(a, b, c, mode()))
NOCBENCH_RISCV_FLOAT(fnmsub_s, fnmsub_s(a, b, c, mode()))
NOCBENCH_RISCV_FLOAT(fnmadd_s, fnmadd_s(a, b, c, mode()))
NOCBENCH_RISCV_FLOAT(fadd_s, fadd_s(a, b, mode()))
NOCBENCH_RISCV_FLOAT(fsub_s, fsub_s(a, b, mode()))
NOCBENCH_RISCV_FLOAT(fmul_s, fmul_s(a, b, mode()))
NOCBENCH_RISCV_FLOAT(fsgnj_s, FloatResult{fsgnj_s(a, b)})
NOCBENCH_RISCV_FLOAT(fsgnjn_s, FloatResult{fsgnjn_s(a, b)})
NOCBENCH_RISCV_FLOAT(fsgnjx_s, FloatResult{fsgnjx_s(a, b)})
NOCBENCH_RISCV_FLOAT(fmin_s, fmin_s(a, b))
NOCBENCH_RISCV_FLOAT(fmax_s, fmax_s(a, b))
NOCBENCH_RISCV_FLOAT(fcvt_w_s, fcvt_w_s(a, mode()))
NOCBENCH_RISCV_FLOAT(fcvt_wu_s, fcvt_wu_s(a, mode()))
NOCBENCH_RISCV_FLOAT(feq_s, feq_s(a, b))
NOCBENCH_RISCV_FLOAT(flt_s, flt_s(a, b))
NOCBENCH_RISCV_FLOAT(fle_s, fle_s(a, b))
NOCBENCH_RISCV_FLOAT(fclass_s, FloatResult{fclass_s(a)})
NOCBENCH_RISCV_FLOAT(fcvt_s_w, fcvt_s_w(a, mode()))
NOCBENCH_RISCV_FLOAT(fcvt_s_wu, fcvt_s_wu(a, mode()))
NOCBENCH_RISCV_FLOAT(fmv_x_w, FloatResult{a})
NOCBENCH_RISCV_FLOAT(fmv_w_x, FloatResult{a})

NOCBENCH_RISCV_FLOAT_QUOTIENT(fdiv_s, fdiv_s(a, b, mode()))
NOCBENCH_RISCV_FLOAT_QUOTIENT(fsqrt_s, fsqrt_s(a, mode()))

// NOLINTEND(bugprone-branch-clone)

#undef NOCBENCH_RISCV_RESULT
#undef NOCBENCH_RISCV_PRODUCT
#undef NOCBENCH_RISCV_QUOTIENT
#undef NOCBENCH_RISCV_BRANCH
#undef NOCBENCH_RISCV_LOAD
#undef NOCBENCH_RISCV_STORE
#undef NOCBENCH_RISCV_ATOMIC
#undef NOCBENCH_RISCV_FLOAT
#undef NOCBENCH_RISCV_FLOAT_QUOTIENT
