// Boost.Asio, header-only.
#pragma once

#define BOOST_ASIO_NO_DEPRECATED
#define BOOST_ERROR_CODE_HEADER_ONLY

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
