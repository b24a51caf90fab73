// Marks of a profiler of hosts: without effect, since the host's time is not modeled.
#pragma once

#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneName(text, size)
#define ZoneText(text, size)
#define FrameMark
#define FrameMarkNamed(name)
#define TracyMessageL(text)
