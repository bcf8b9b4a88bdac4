// What does ExaBGP read in a message of ours, and what do we read in one of its? Its own codec, as Debian
// has it.
import { join } from 'node:path'
import type { Told } from './samples.ts'

/** Debian's Python, which has the package. */
export const exabgpCodec = ['/usr/bin/python3', join(import.meta.dirname, 'exabgpCodec.py')]

/** It sends one next hop for a route. */
export const sentByExabgp = (told: Told): Told => ({ ...told, nextHops: told.nextHops.slice(0, 1) })
