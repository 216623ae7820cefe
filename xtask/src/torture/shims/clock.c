/*
 * Clock: moves the time of day of a program by CLOCK_SHIFT seconds; durations stay as they are.
 *
 * CLOCK_FILE names a file whose milliseconds since 1970 are the time of day instead, as long as they stand there.
 *
 * Test equipment, loaded by LD_PRELOAD; no part of the product.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long shift(void) {
    const char *seconds = getenv("CLOCK_SHIFT");
    return seconds ? atoll(seconds) : 0;
}

static int is_set(struct timespec *now) {
    const char *path = getenv("CLOCK_FILE");
    char digits[32];
    if (!path) return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t n = read(file, digits, sizeof digits - 1);
    close(file);
    if (n <= 0) return 0;
    digits[n] = 0;
    long long ms = atoll(digits);
    now->tv_sec = ms / 1000;
    now->tv_nsec = ms % 1000 * 1000000;
    return 1;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int is_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    if (is_day && is_set(now)) return 0;
    long done = syscall(SYS_clock_gettime, clock, now);
    if (!done && is_day) now->tv_sec += shift();
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
