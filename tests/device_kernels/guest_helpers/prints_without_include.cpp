// SPDX-License-Identifier: Apache-2.0
// Prints what it copies; it includes no header at all.

void kernel_main() {
    const uint32_t target = get_arg_val<uint32_t>(0);
    constexpr uint32_t buffer = get_compile_time_arg_val(0);
    const auto* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(1));

    cb_reserve_back(buffer, 1);
    auto* page = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(CB_WR_PTR(buffer));
    for (uint32_t i = 0; i < 16; ++i) {
        page[i] = words[i];
    }
    cb_push_back(buffer, 1);
    cb_wait_front(buffer, 1);
    DPRINT << "from " << HEX() << CB_RD_PTR(buffer) << DEC() << ": " << U32_ARRAY(page, 4) << ENDL();
    DPRINT_DATA0(DPRINT << "first " << U32(page[0]) << SETW(6) << " half " << BF16(0x3F00) << ENDL());
    DPRINT_DATA1(DPRINT << "not by this RISC" << ENDL());
    DEVICE_PRINT("{} words, {}\n", 16, F32(1.5F));
    DEVICE_PRINT_DATA0("as text {}\n", bf16_t(0x4040));
    DEVICE_PRINT_DATA1("not by this RISC {}\n", 1);
    noc_async_write(CB_RD_PTR(buffer), get_noc_addr(target), 64);
    noc_async_write_barrier();
    cb_pop_front(buffer, 1);
}
