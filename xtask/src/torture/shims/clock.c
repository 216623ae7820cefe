/*
 * Clock: moves the time of day of a program by CLOCK_SHIFT seconds; durations stay as they are.
 *
 * Test equipment, loaded by LD_PRELOAD; no part of the product.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long shift(void) {
    const char *seconds = getenv("CLOCK_SHIFT");
    return seconds ? atoll(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    long done = syscall(SYS_clock_gettime, clock, now);
    if (!done && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
    return (int)done;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec moment;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &moment)) return -1;
    now->tv_sec = moment.tv_sec;
    now->tv_usec = moment.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds) {
    struct timespec moment;
    if (clock_gettime(CLOCK_REALTIME, &moment)) return (time_t)-1;
    if (seconds) *seconds = moment.tv_sec;
    return moment.tv_sec;
}
