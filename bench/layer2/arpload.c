// How fast does a host answer ARP requests or neighbour solicitations?
//
//   arpload INTERFACE FIRST COUNT REQUESTS SECONDS
//
// Asks for FIRST and the COUNT - 1 addresses behind it, one after the other: REQUESTS times one at a
// time (latency), then for SECONDS with 64 on their way (rate). Prints one line of JSON.
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { IN_FLIGHT = 64, WAIT_MS = 1000, FRAME = 86 };

static int sock;
static uint8_t mac[6];
static int v6;
static uint8_t first[16];
static uint32_t count;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void address(uint32_t index, uint8_t *to) {
  int length = v6 ? 16 : 4;
  memcpy(to, first, length);
  uint32_t low;
  memcpy(&low, to + length - 4, 4);
  low = htonl(ntohl(low) + index);
  memcpy(to + length - 4, &low, 4);
}

static uint16_t checksum(const uint8_t *frame, int length) {
  uint32_t sum = 58 + length;
  for (int at = 22; at < 54 + length; at += 2) sum += frame[at] << 8 | frame[at + 1];
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum;
}

static int arp_request(uint8_t *f, uint32_t index) {
  static const uint8_t head[] = {8, 6, 0, 1, 8, 0, 6, 4, 0, 1};
  memset(f, 0xff, 6);
  memcpy(f + 6, mac, 6);
  memcpy(f + 12, head, sizeof head);
  memcpy(f + 22, mac, 6);
  // A sender beside the addresses asked for: 192.0.2.1.
  memcpy(f + 28, "\xc0\x00\x02\x01", 4);
  memset(f + 32, 0, 6);
  address(index, f + 38);
  return 42;
}

static int solicitation(uint8_t *f, uint32_t index) {
  static const uint8_t source[] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x99};
  static const uint8_t group[] = {0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff};
  memset(f, 0, FRAME);
  address(index, f + 62);
  memcpy(f + 38, group, 13);
  memcpy(f + 51, f + 75, 3);
  f[0] = f[1] = 0x33;
  memcpy(f + 2, f + 50, 4);
  memcpy(f + 6, mac, 6);
  f[12] = 0x86, f[13] = 0xdd, f[14] = 0x60;
  f[19] = 32, f[20] = 58, f[21] = 255;
  memcpy(f + 22, source, 16);
  f[54] = 135;
  f[78] = 1, f[79] = 1;
  memcpy(f + 80, mac, 6);
  uint16_t sum = checksum(f, 32);
  f[56] = sum >> 8, f[57] = sum & 0xff;
  return FRAME;
}

static void ask(uint32_t index) {
  uint8_t f[FRAME];
  int length = v6 ? solicitation(f, index % count) : arp_request(f, index % count);
  if (send(sock, f, length, 0) != length) fail("send");
}

// Whether an answer came in time.
static int answered(void) {
  uint8_t f[2048];
  struct pollfd p = {.fd = sock, .events = POLLIN};
  for (;;) {
    ssize_t n = recv(sock, f, sizeof f, MSG_DONTWAIT);
    if (n >= 42 && (v6 ? f[54] == 136 : f[21] == 2)) return 1;
    if (n < 0 && poll(&p, 1, WAIT_MS) <= 0) return 0;
  }
}

static int ascending(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void open_socket(const char *name) {
  int type = v6 ? ETHERTYPE_IPV6 : ETHERTYPE_ARP;
  sock = socket(AF_PACKET, SOCK_RAW, 0);
  if (sock < 0) fail("socket");
  struct ifreq r = {0};
  strncpy(r.ifr_name, name, IFNAMSIZ - 1);
  if (ioctl(sock, SIOCGIFHWADDR, &r) < 0) fail(name);
  memcpy(mac, r.ifr_hwaddr.sa_data, 6);
  // Only answers: replies, advertisements.
  struct sock_filter arp[] = {{0x28, 0, 0, 20}, {0x15, 0, 1, 2}, {6, 0, 0, 0x40000}, {6, 0, 0, 0}};
  struct sock_filter ndp[] = {{0x30, 0, 0, 54}, {0x15, 0, 1, 136}, {6, 0, 0, 0x40000}, {6, 0, 0, 0}};
  struct sock_fprog program = {4, v6 ? ndp : arp};
  if (setsockopt(sock, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program)) fail("filter");
  struct sockaddr_ll to = {.sll_family = AF_PACKET, .sll_protocol = htons(type)};
  to.sll_ifindex = if_nametoindex(name);
  if (bind(sock, (struct sockaddr *)&to, sizeof to)) fail("bind");
}

int main(int argc, char **argv) {
  if (argc != 6) return fprintf(stderr, "arpload INTERFACE FIRST COUNT REQUESTS SECONDS\n"), 2;
  v6 = strchr(argv[2], ':') != NULL;
  if (inet_pton(v6 ? AF_INET6 : AF_INET, argv[2], first) != 1) return 2;
  count = atoi(argv[3]);
  int requests = atoi(argv[4]);
  double seconds = atof(argv[5]);
  open_socket(argv[1]);

  for (int i = 0; i < 200; i++) ask(i), answered();
  uint64_t *took = calloc(requests, sizeof *took);
  int lost = 0, got = 0;
  for (int i = 0; i < requests; i++) {
    uint64_t begun = now_ns();
    ask(i * 7919u);
    if (answered()) took[got++] = now_ns() - begun;
    else lost++;
  }
  qsort(took, got, sizeof *took, ascending);

  uint64_t replies = 0, end = now_ns() + (uint64_t)(seconds * 1e9);
  uint32_t next = 0;
  for (int i = 0; i < IN_FLIGHT; i++) ask(next++);
  while (now_ns() < end) {
    if (answered()) replies++, ask(next++);
    else
      for (int i = 0; i < IN_FLIGHT; i++) ask(next++);
  }
  if (got == 0) return fprintf(stderr, "no answer\n"), 1;
  printf("{\"p50\":%.1f,\"p99\":%.1f,\"max\":%.1f,\"lost\":%d,\"perSecond\":%.0f}\n",
         took[got / 2] / 1e3, took[(int)(got * 0.99)] / 1e3, took[got - 1] / 1e3, lost,
         seconds > 0 ? replies / seconds : 0);
  return 0;
}
