/** The other workers as one of them sees them: by messages over the primary. */
import type { Json } from '../../kernel/contract/json.js'
import type { GonePeer, PeerReply } from '../../kernel/contract/services/peers.js'
import type { GatewayPeers } from '../../kernel/peers.js'
import type { WorkerRole } from '../environment.js'
import type { News, ToPrimary, ToWorker } from './messages.js'

/** How long replies are waited for. */
const replyMs = 1_000

interface Asked {
  /** Absent: not known yet. */
  whom?: Set<number>
  readonly replies: PeerReply[]
  end(): void
}

type Heard = Extract<ToWorker, { kind: 'news' | 'question' | 'asked' | 'reply' | 'gone' }>
type Send = (message: ToPrimary) => void

export interface WorkerPeers extends GatewayPeers {
  take(message: Heard): void
}

export function createPeers({ number, count }: WorkerRole, send: Send): WorkerPeers {
  const listeners = new Map<string, ((message: Json, from: number) => void)[]>()
  const responders = new Map<string, (question: Json) => Json | Promise<Json>>()
  const goneListeners: ((gone: GonePeer) => void)[] = []
  const asked = new Map<number, Asked>()
  let news: (readonly [string, Json])[] = []
  let lastId = 0
  let joined = false

  function publish(topic: string, message: Json): void {
    if (news.length === 0) setImmediate(flush)
    news.push([topic, message])
  }

  function flush(): void {
    const taken = news
    news = []
    send({ kind: 'news', news: taken })
  }

  function ask(topic: string, question: Json = null): Promise<readonly PeerReply[]> {
    if (!joined) return Promise.resolve([])
    // What was published before it arrives before it.
    if (news.length > 0) flush()
    const id = ++lastId
    return new Promise((resolve) => {
      const replies: PeerReply[] = []
      const end = () => {
        clearTimeout(timer)
        asked.delete(id)
        resolve(replies)
      }
      const timer = setTimeout(end, replyMs)
      asked.set(id, { replies, end })
      send({ kind: 'question', id, topic, question })
    })
  }

  async function respond(from: number, id: number, topic: string, question: Json): Promise<void> {
    let reply: Json = null
    try {
      reply = (await responders.get(topic)?.(question)) ?? null
    } catch {
      // Who cannot say is as one who has nothing to say.
    }
    if (news.length > 0) flush()
    send({ kind: 'reply', to: from, id, reply })
  }

  function hear(from: number, heard: News): void {
    for (const [topic, message] of heard) {
      for (const listener of listeners.get(topic) ?? []) listener(message, from)
    }
  }

  function over(question: Asked, from: number): void {
    question.whom?.delete(from)
    if (question.whom?.size === 0) question.end()
  }

  function replied(from: number, id: number, reply: Json): void {
    const question = asked.get(id)
    if (question === undefined) return
    if (reply !== null) question.replies.push({ from, reply })
    over(question, from)
  }

  function gone(peer: GonePeer): void {
    for (const question of [...asked.values()]) over(question, peer.number)
    for (const listener of goneListeners) listener(peer)
  }

  function passedOn(id: number, whom: readonly number[]): void {
    const question = asked.get(id)
    if (question === undefined) return
    question.whom = new Set(whom)
    if (whom.length === 0) question.end()
  }

  function take(message: Heard): void {
    switch (message.kind) {
      case 'news':
        hear(message.from, message.news)
        break
      case 'question':
        void respond(message.from, message.id, message.topic, message.question)
        break
      case 'asked':
        passedOn(message.id, message.whom)
        break
      case 'reply':
        replied(message.from, message.id, message.reply)
        break
      case 'gone':
        gone(message)
    }
  }

  return {
    number,
    count,
    publish,
    ask,
    take,
    on: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
    respond: (topic, responder) => void responders.set(topic, responder),
    onGone: (listener) => void goneListeners.push(listener),
    join() {
      joined = true
      send({ kind: 'joined' })
    },
  }
}
