// What does docs/bench/bgp.md show? Each measure, and what is to be known to read it.

export type Measure = {
  readonly name: string
  readonly script: string
  readonly args: readonly string[]
}
type Section = {
  readonly title: string
  readonly intro: string
  readonly measures: readonly Measure[]
  readonly notes: string
}

const measure = (name: string, script: string, ...args: readonly string[]): Measure => ({
  ...{ name, script, args },
})

export const sections: readonly Section[] = [
  {
    title: 'Many routes at once',
    intro: `A sender and a receiver in two namespaces, one session that is up. \`announced\`: from the order to the
sender until the receiver has all routes; \`withdrawn\`: from the order until it has none. The receiver is asked
over its control socket, with 2 ms between two questions. The last columns are processor time for both. Each
figure is the median of three rounds, in which the senders alternate. With different attributes each route has a
community of its own, and so a message of its own. BIRD and GoBGP have the routes before they are asked, and only let
them out; Berth is told of each as of a Service, a few milliseconds at a time.`,
    measures: [
      measure('routes', 'run.ts', '--routes', '10000'),
      measure('manyEqual', 'run.ts', '--routes', '100000', '--attributes', 'equal'),
      measure('manyDifferent', 'run.ts', '--routes', '100000', '--attributes', 'different'),
    ],
    notes: `\`x BIRD\` compares the time until all are announced with that of BIRD, as the sender to the same receiver;
wanted: 1.5 at most, and less than GoBGP. Berth is always faster than GoBGP. With different attributes it is as fast
as BIRD when it announces; with equal ones it misses 1.5 in three of four rows, and when it withdraws in four of
eight. Its process is new in each round: with 10,000 routes most of its time is code that the engine has not compiled
yet. With equal attributes BIRD has next to nothing to do, while Berth enters each route as of a Service. Where the
receiver computes longer than the sender, as FRR does with 100,000 different attributes, it is the limit.`,
  },
  {
    title: 'A whole speaker',
    intro: `One node, four FRR routers, the embedded API and the controller beside it; the memory of layer 2 alone
with as many Services follows, then one Service with BIRD as the router, and then one route to an FRR of its own, from
Berth and from BIRD. Wanted: a start with 5,000 Services in
5 s, one Service in 10 ms to the wire (p50) and in 30 ms to the router's kernel, and at most 20 MB more with BGP than
with layer 2 alone.`,
    measures: [
      measure('speaker', 'speaker.ts', '--part', 'many'),
      measure('layer2', 'speaker.ts', '--part', 'layer2'),
      measure('bird', 'speaker.ts', '--part', 'bird'),
      measure('kernel', 'kernel.ts'),
    ],
    notes: `By its source, FRR pauses on the way to its kernel: bgpd 50 ms before it chooses a way, zebra 10 ms before
the kernel gets it. The last lines show it: from the wire on, a route of BIRD takes as long as one of Berth, so that no
sender can meet 30 ms with FRR. The time to the wire counts from when another client has the
watch event, so that it can be less than nothing. What was written counts since the last of the three starts.
MetalLB 0.16, with FRR on the node, took 88 ms for one Service, and minutes to start with 5,000, on another day;
it does not run here.`,
  },
  {
    title: 'What a client misses',
    intro: `Three nodes, one FRR router, a client that asks every 10 ms; the node that answers it loses its processes
and its cable at once, and later its speaker restarts with graceful restart. BFD 50 ms x 3. Wanted: 300 ms at most,
of which BFD takes 150 ms and FRR 60 ms; at a restart nothing.`,
    measures: [measure('gap', 'gap.ts', '--losses', '10', '--restarts', '5')],
    notes: '',
  },
  {
    title: 'Many peers',
    intro: `50 sessions to one BIRD, hold time 9 s, and all 1,000 prefixes of each changed every second, as a list of all
Services would do at the worst; there is no list and no policy in it, only the sessions. Wanted: no KEEPALIVE late, which is more than a tenth behind its time.`,
    measures: [measure('peers', 'manyPeers.ts', '--seconds', '60')],
    notes: '',
  },
  {
    title: 'BFD',
    intro: `Berth and FRR, and beside them BIRD and FRR, at 50 ms x 3 while other work keeps the processors busy, and then
at 10 ms x 3, which is best effort. What pauses all processes of a machine for the time of detection ends every such
session; choose the multiplier for the machine.`,
    measures: [
      measure('bfd', 'bfdCalm.ts', '--minutes', '10', '--busy', '2'),
      measure('bfd10', 'bfdCalm.ts', '--minutes', '2', '--interval', '10'),
    ],
    notes: '',
  },
]
