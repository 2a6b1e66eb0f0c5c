/** Answers by the class of their status, of all processes of this address. */
import type { Peers } from '../../../kernel/contract/services/peers.js'
import type { Traffic } from '../../../kernel/contract/services/traffic.js'

type Answers = Readonly<Record<string, number>>

const topic = 'answers by status'

export function answersOfAll(
  traffic: Pick<Traffic, 'answers'>,
  peers: Peers,
): () => Promise<Answers> {
  peers.respond(topic, () => traffic.answers())
  return async () => {
    const replies = await peers.ask(topic)
    const all = [traffic.answers(), ...replies.map(({ reply }) => reply as Answers)]
    const names = Object.keys(traffic.answers())
    const sum = (name: string) => all.reduce((count, answers) => count + (answers[name] ?? 0), 0)
    return Object.fromEntries(names.map((name) => [name, sum(name)]))
  }
}
