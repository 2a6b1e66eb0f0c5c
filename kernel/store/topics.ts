/** Tells listeners which rows of their topic changed: in batches, one after the other, again after a failure. */
import type { Log } from '../contract/kit.js'

export type TopicListener = (ids: ReadonlySet<string>) => Promise<void> | void

/** Hears of the rows of every topic, after those who keep them have heard. */
export type EveryListener = (topic: string, ids: ReadonlySet<string>) => void

interface Topic {
  readonly listeners: TopicListener[]
  waiting: Set<string>
  telling: Promise<void>
}

export class Topics {
  private readonly topics = new Map<string, Topic>()
  private readonly everyListeners: EveryListener[] = []
  private overheard = new Map<string, Set<string>>()

  constructor(private readonly log: Log) {}

  on(name: string, listener: TopicListener): void {
    const topic = this.topics.get(name)
    if (topic) topic.listeners.push(listener)
    else {
      const made = { listeners: [listener], waiting: new Set<string>(), telling: Promise.resolve() }
      this.topics.set(name, made)
    }
  }

  onEvery(listener: EveryListener): void {
    this.everyListeners.push(listener)
  }

  /** A row of a topic nobody listens to is forgotten. */
  add(name: string, id: string): void {
    this.topics.get(name)?.waiting.add(id)
    if (this.everyListeners.length === 0) return
    const ids = this.overheard.get(name) ?? new Set()
    this.overheard.set(name, ids.add(id))
  }

  /** Starts to announce what was added, behind what is being announced. */
  tell(): void {
    for (const [name, topic] of this.topics) {
      if (topic.waiting.size > 0)
        topic.telling = topic.telling.then(() => this.tellOne(name, topic))
    }
    if (this.overheard.size === 0) return
    const reported = this.overheard
    this.overheard = new Map()
    void this.heard().then(() => this.tellEvery(reported))
  }

  /** Resolves when everything added before the last `tell` was heard. */
  async heard(): Promise<void> {
    await Promise.all([...this.topics.values()].map((topic) => topic.telling))
  }

  private tellEvery(reported: ReadonlyMap<string, ReadonlySet<string>>): void {
    for (const [topic, ids] of reported) {
      for (const listener of this.everyListeners) {
        try {
          listener(topic, ids)
        } catch (error) {
          this.log.error({ err: error, topic }, 'changed rows could not be announced')
        }
      }
    }
  }

  private async tellOne(name: string, topic: Topic): Promise<void> {
    const ids = topic.waiting
    if (ids.size === 0) return
    topic.waiting = new Set()
    for (const listener of topic.listeners) {
      try {
        await listener(ids)
      } catch (error) {
        this.log.error({ err: error, topic: name }, 'changed rows could not be taken over')
        for (const id of ids) topic.waiting.add(id)
      }
    }
  }
}
