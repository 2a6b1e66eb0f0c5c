/** The other processes of the same program: those that `WORKERS` started beside this one. */
import type { Json } from '../json.js'

/**
 * Messages between the processes that share one address (decision 0088). They take a moment, and one that is sent while a process
 * begins or ends may be lost: nothing rests on them that may not be lost, such as money. Processes of other machines
 * are reached by `Changes` alone.
 */
export interface Peers {
  /** How many processes there are, this one included. 1: there are no others, and everything here does nothing. */
  readonly count: number
  /** Which of them this is, from 1. One that takes the place of another has its number. */
  readonly number: number
  /** To every other process, together with what else is sent in the same turn of the event loop. */
  publish(topic: string, message: Json): void
  on(topic: string, listener: (message: Json, from: number) => void): void
  /** Asks every other process; resolves with the replies of those that have a responder and reply within a second. Never rejects. */
  ask(topic: string, question?: Json): Promise<readonly PeerReply[]>
  respond(topic: string, responder: (question: Json) => Json | Promise<Json>): void
  /** Is called once another process has ended, in order or not, before one takes its place. */
  onGone(listener: (gone: GonePeer) => void): void
}

export interface PeerReply {
  readonly from: number
  readonly reply: Json
}

export interface GonePeer {
  readonly number: number
  /** Its `System.nodeName`. */
  readonly nodeName: string
  readonly pid: number
}
