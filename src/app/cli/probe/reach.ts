// Does an address answer to a connection and to a ping, and how soon?
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import type { Ip } from '../../../core/net/ip.ts'
import type { Reach } from './finding.ts'

const patienceMs = 2_000

/** A refused connection is an answer too. */
export function reachByTcp(address: Ip, port: number): Promise<Reach> {
  const how = `TCP port ${port}`
  const begunMs = performance.now()
  return new Promise((resolve) => {
    const socket = connect({ host: address, port })
    const end = (isAnswered: boolean): void => {
      const ms = isAnswered ? performance.now() - begunMs : undefined
      socket.destroy()
      clearTimeout(late)
      resolve({ how, ms })
    }
    const late = setTimeout(() => end(false), patienceMs)
    socket.on('connect', () => end(true))
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED'))
  })
}

/**
 * Undefined if ping is not installed. Many clusters do not answer pings, so silence proves nothing.
 */
export function reachByPing(address: Ip): Promise<Reach | undefined> {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    const ping = spawn('ping', ['-n', '-c', '1', '-W', '1', address], { stdio: [...stdio] })
    let text = ''
    ping.on('error', () => resolve(undefined))
    ping.stdout.on('data', (chunk) => {
      text += String(chunk)
    })
    ping.on('close', () => {
      const [, ms] = /time[=<]([\d.]+) ms/.exec(text) ?? []
      resolve({ how: 'ping', ms: ms === undefined ? undefined : Number(ms) })
    })
  })
}
