/** Passes messages of workers on to each other. It knows nothing of what they say. */
import type { Worker } from 'node:cluster'
import type { News, Question, ToPrimary, ToWorker } from './messages.js'

type Passed = Extract<ToPrimary, { kind: 'joined' | 'news' | 'question' | 'reply' }>

/** News that one worker may have unread before further ones are not passed on to it. */
const unreadMax = 1_000

export class Switchboard {
  private readonly joined = new Map<number, Member>()

  take(number: number, worker: Worker, message: Passed): void {
    switch (message.kind) {
      case 'joined':
        this.joined.set(number, new Member(worker))
        break
      case 'news':
        this.pass(number, message.news)
        break
      case 'question':
        this.ask(number, message)
        break
      case 'reply': {
        const { to, id, reply } = message
        this.joined.get(to)?.send({ kind: 'reply', from: number, id, reply })
      }
    }
  }

  /** It has ended, and the others are to know. */
  gone(number: number, nodeName: string, pid: number): void {
    this.joined.delete(number)
    for (const member of this.joined.values()) {
      member.send({ kind: 'gone', number, nodeName, pid })
    }
  }

  /** To any of them. False: there is none. */
  toOne(message: ToWorker): boolean {
    const [first] = this.joined.values()
    first?.send(message)
    return first !== undefined
  }

  private pass(from: number, news: News): void {
    for (const member of this.others(from)) member.pass({ kind: 'news', from, news })
  }

  private ask(from: number, { id, topic, question }: Question): void {
    const whom = [...this.joined.keys()].filter((number) => number !== from)
    this.joined.get(from)?.send({ kind: 'asked', id, whom })
    for (const member of this.others(from)) {
      member.send({ kind: 'question', from, id, topic, question })
    }
  }

  private others(than: number): readonly Member[] {
    return [...this.joined].flatMap(([number, member]) => (number === than ? [] : member))
  }
}

class Member {
  private unread = 0

  constructor(private readonly worker: Worker) {}

  send(message: ToWorker): void {
    sendTo(this.worker, message)
  }

  /** One that does not read has some of it left out. */
  pass(message: ToWorker): void {
    if (this.unread >= unreadMax) return
    this.unread += 1
    sendTo(this.worker, message, () => {
      this.unread -= 1
    })
  }
}

/** To one that is about to end it may be lost. */
export function sendTo(worker: Worker, message: ToWorker, sent = () => {}): void {
  if (worker.isConnected()) worker.send(message, sent)
  else sent()
}
