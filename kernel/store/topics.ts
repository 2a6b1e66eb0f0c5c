/** Tells listeners which rows of their topic changed: in batches, one after the other, again after a failure. */
import type { Log } from '../contract/kit.js'

export type TopicListener = (ids: ReadonlySet<string>) => Promise<void> | void

interface Topic {
  readonly listeners: TopicListener[]
  waiting: Set<string>
  telling: Promise<void>
}

export class Topics {
  private readonly topics = new Map<string, Topic>()

  constructor(private readonly log: Log) {}

  on(name: string, listener: TopicListener): void {
    const topic = this.topics.get(name)
    if (topic) topic.listeners.push(listener)
    else {
      const made = { listeners: [listener], waiting: new Set<string>(), telling: Promise.resolve() }
      this.topics.set(name, made)
    }
  }

  /** A row of a topic nobody listens to is forgotten. */
  add(name: string, id: string): void {
    this.topics.get(name)?.waiting.add(id)
  }

  /** Starts to tell what was added, behind what is being told. */
  tell(): void {
    for (const [name, topic] of this.topics) {
      if (topic.waiting.size > 0)
        topic.telling = topic.telling.then(() => this.tellOne(name, topic))
    }
  }

  /** Resolves when everything added before the last `tell` was heard. */
  async heard(): Promise<void> {
    await Promise.all([...this.topics.values()].map((topic) => topic.telling))
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
