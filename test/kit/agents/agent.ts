/**
 * A coding agent as an upstream meets it: what it sends first, as recorded from its released package, how it reads
 * an answer, and what it sends next.
 */
import { readFileSync } from 'node:fs'

// biome-ignore lint/suspicious/noExplicitAny: bodies of three vendors; a field that is missing fails the test that names it.
export type Body = any

interface Call {
  readonly id: string
  /** The item, block or part it came in. */
  readonly own: Body
}

export interface Answer {
  readonly text: string
  readonly calls: readonly Call[]
  /** What the agent keeps of the answer for its next request. */
  readonly kept: Body
}

/** A call of a model, as the upstream knows it, and what the agent gets of it. */
export interface AgentCall {
  readonly name: string
  readonly input: Body
  readonly own: Body
}

export interface Agent {
  readonly name: string
  readonly fixture: string
  /** The format it speaks. */
  readonly speaks: 'messages' | 'generative' | 'responses'
  path(model: string, stream: boolean): string
  ask(body: Body, model: string, stream: boolean): Body
  whole(body: Body): Answer
  streamed(events: readonly Body[]): Answer
  /** The next request, with the results of the last calls. */
  next(body: Body, answer: Answer, output: string): Body
  /** What the model calls, in this order. */
  readonly calls: readonly AgentCall[]
}

interface Recording {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

/** As in `test/fixtures/agents`. */
export function recording(name: string): Recording {
  const file = new URL(`../../fixtures/agents/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Headers of the recorded request that a gateway may have something to do with. */
const sentAlong = ['anthropic-beta', 'anthropic-version', 'x-codex-beta-features', 'originator']

interface Place {
  readonly url: string
  readonly key: string
}

export function send(
  { url, key }: Place,
  agent: Agent,
  model: string,
  { body, stream }: { readonly body: Body; readonly stream: boolean },
): Promise<Response> {
  const { headers } = recording(agent.fixture)
  const along = Object.entries(headers).filter(([name]) => sentAlong.includes(name))
  return fetch(`${url}${agent.path(model, stream)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      ...Object.fromEntries(along),
    },
    body: JSON.stringify(body),
  })
}

/** What the agent makes of a response; anything else than 200 is an error. */
export async function readAnswer(
  agent: Agent,
  response: Response,
  stream: boolean,
): Promise<Answer> {
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  if (!stream) return agent.whole(JSON.parse(text))
  const frames = text
    .split(/\r?\n\r?\n/)
    .flatMap((frame) => /^data: (\{.*)$/ms.exec(frame)?.[1] ?? [])
  return agent.streamed(frames.map((frame) => JSON.parse(frame)))
}
