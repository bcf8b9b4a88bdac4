// What do all nodes together announce for one Service, and why do the others not?
import type { Problem } from '../../model/problem.ts'
import type { Key } from '../../model/service.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { advertiseBgp, type Bgp, type BgpAnnouncement, bgpOn } from './advertiseBgp.ts'
import {
  advertiseLayer2,
  type Layer2,
  type Layer2Announcement,
  layer2On,
} from './advertiseLayer2.ts'
import { ElectionStarts } from './elect.ts'
import { type Ground, groundOf } from './ground.ts'
import type { SpeakerLink } from './links.ts'
import { seesMajority } from './majority.ts'
import { serviceProblems } from './serviceProblems.ts'
import { type Refusal, subjectOf } from './subject.ts'

export type Announcement = Layer2Announcement | BgpAnnouncement

export type Speakers = {
  /** The nodes whose speaker is seen and may announce (R8.2). */
  readonly live: ReadonlySet<string>
  /** The nodes that should run one, as last read from the API. */
  readonly expected: ReadonlySet<string>
  /** The nodes whose speaker is seen, whether it may announce or not; absent: those above. */
  readonly seen?: ReadonlySet<string>
  /** The interfaces that announce, by node; those of a node that is absent are not known. */
  readonly links?: ReadonlyMap<string, readonly SpeakerLink[]>
}

export type Advertising = {
  readonly announcements: readonly Announcement[]
  readonly refusals: readonly Refusal[]
  readonly problems: readonly Problem[]
}

/** World and speakers as they are, read once for many Services; void when either changes. */
export type Moment = { readonly ground: Ground; readonly layer2: Layer2; readonly bgp: Bgp }

/** `starts`: kept from one moment to the next by who decides again and again. */
export function momentOf(
  world: ReadonlyWorld,
  speakers: Speakers,
  starts = new ElectionStarts(),
): Moment {
  const { live, links = new Map() } = speakers
  const hasMajority = seesMajority(speakers)
  const ground = groundOf({ world, live, links, hasMajority, starts })
  return { ground, layer2: layer2On(ground), bgp: bgpOn(ground) }
}

export const advertise = (world: ReadonlyWorld, speakers: Speakers, service: Key): Advertising =>
  advertiseAt(momentOf(world, speakers), service)

export function advertiseAt(moment: Moment, service: Key): Advertising {
  const found = subjectOf(moment.ground.world, service)
  if ('refusal' in found) return { announcements: [], refusals: [found.refusal], problems: [] }
  const layer2 = advertiseLayer2(moment.layer2, found.subject)
  const bgp = advertiseBgp(moment.bgp, found.subject)
  return {
    announcements: [...layer2.announcements, ...bgp.announcements],
    refusals: [...layer2.refusals, ...bgp.refusals],
    problems: serviceProblems(moment, found.subject),
  }
}
