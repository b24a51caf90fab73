#ifndef TWO_SOURCES_H
#define TWO_SOURCES_H
extern int shared_value;
int fetch_scaled(int pe);
#endif
