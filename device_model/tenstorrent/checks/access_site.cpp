#include "device_model/tenstorrent/checks/access_site.h"

#include "device_model/tenstorrent/risc.h"

namespace nocbench {

AccessSite site_of(const Risc& risc, AccessKind kind) {
    AccessSite site;
    site.kind = kind;
    site.risc = risc.identity().index;
    site.program_counter = risc.program_counter();
    site.return_address = risc.return_address();
    site.tick = risc.now();
    return site;
}

AccessSite site_of(const Risc& risc, const Transaction& transaction) {
    AccessSite site = site_of(risc, transaction.kind == TransactionKind::read    ? AccessKind::source_of_read
                                    : transaction.kind == TransactionKind::write ? AccessKind::destination_of_write
                                                                                 : AccessKind::atomic);
    site.noc = transaction.noc;
    site.virtual_channel = transaction.software_virtual_channel;
    site.id = transaction.id;
    site.posted = transaction.posted;
    site.is_multicast = transaction.tree != kNoTree;
    site.is_inline = transaction.has_inline_data;
    site.is_dynamic = transaction.is_dynamic;
    return site;
}

}  // namespace nocbench
