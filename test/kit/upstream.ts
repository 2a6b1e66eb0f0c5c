/**
 * A scripted upstream: a real HTTP server on loopback that answers what the test tells it to and remembers what it
 * was queried. Scripts run in order; the last one stays for every further request. It reads requests as strictly as the
 * vendor of the format documents them: a faulty one is refused before its script, and fails the test at its end.
 */
import type { ServerResponse } from 'node:http'
import { json, listening, type Recorded, record, type Script } from '../testing/upstream.js'
import { formFields } from './strict/form.js'
import { strictly } from './strict/index.js'

export { json, type Recorded, type Script }

export interface ScriptedUpstream {
  readonly url: string
  readonly requests: Recorded[]
  /** Replaces what comes next: one script per request, the last one for all further ones. */
  script(...scripts: Script[]): void
  /** Resolves with the request of this number, counted from 0, as soon as it is there. */
  request(index: number): Promise<Recorded>
  /**
   * Some requests are sent on purpose that no vendor documents: takes these further names, or whatever comes where none
   * are given. The reason is for the reader. What is returned ends it.
   */
  takes(reason: string, names?: readonly string[]): () => void
  close(): Promise<void>
}

export async function scriptedUpstream(t: {
  teardown(run: () => Promise<void>): void
}): Promise<ScriptedUpstream> {
  let scripts: Script[] = []
  const requests: Recorded[] = []
  const faults: string[] = []
  let taken: readonly string[] | 'everything' = []
  const waiting: { index: number; resolve: (request: Recorded) => void }[] = []

  const { url, close } = await listening(async (request, response) => {
    const recorded = await record(request, response)
    requests.push(recorded)
    for (const waiter of waiting.splice(0)) {
      const there = requests[waiter.index]
      if (there === undefined) waiting.push(waiter)
      else waiter.resolve(there)
    }
    const script = scripts.length > 1 ? scripts.shift()! : scripts[0]
    const refused =
      taken === 'everything' ? undefined : strictly(recorded.path, await bodyOf(recorded), taken)
    if (refused !== undefined) {
      faults.push(`${recorded.path}: ${refused.faults.join('; ')} in ${recorded.text}`)
      json(refused.status, refused.body)(recorded, response)
    } else if (script === undefined)
      json(500, { error: { message: 'no script' } })(recorded, response)
    else await script(recorded, response)
  })
  const upstream: ScriptedUpstream = {
    ...{ url, requests, close },
    script: (...next) => {
      scripts = next
    },
    request: (index) =>
      new Promise((resolve) => {
        const there = requests[index]
        if (there === undefined) waiting.push({ index, resolve })
        else resolve(there)
      }),
    takes(_reason, names) {
      const before = taken
      taken = names === undefined || before === 'everything' ? 'everything' : [...before, ...names]
      return () => {
        taken = before
      }
    },
  }
  t.teardown(async () => {
    await upstream.close()
    if (faults.length > 0) {
      throw new Error(`requests that their vendor refuses:\n${faults.slice(0, 20).join('\n')}`)
    }
  })
  return upstream
}

/** Sends pieces as one event stream and ends it; a piece may be a promise to wait for before going on. */
export function events(...pieces: readonly (string | Buffer | Promise<unknown>)[]): Script {
  return streamed(pieces, (response) => response.end())
}

/** The same, but the connection breaks instead of ending. */
export function brokenEvents(...pieces: readonly (string | Buffer | Promise<unknown>)[]): Script {
  return streamed(pieces, (response) => response.destroy())
}

/** The same, but the connection stays open and silent. */
export function endlessEvents(...pieces: readonly (string | Buffer | Promise<unknown>)[]): Script {
  return streamed(pieces, () => {})
}

/** Takes the request and never answers. */
export const silence: Script = () => {}

/** Breaks the connection instead of answering. */
export const hangUp: Script = (_, response) => {
  response.destroy()
}

function streamed(
  pieces: readonly (string | Buffer | Promise<unknown>)[],
  last: (response: ServerResponse) => void,
): Script {
  return async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    for (const piece of pieces) {
      if (piece instanceof Promise) await piece
      else await written(response, piece)
    }
    last(response)
  }
}

function written(response: ServerResponse, piece: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve()
    else response.write(piece, () => resolve())
  })
}

/** What its fields are, of JSON and of a form alike. */
async function bodyOf({ headers, bytes, json }: Recorded): Promise<unknown> {
  const type = headers['content-type'] ?? ''
  return type.startsWith('multipart/form-data') ? formFields(bytes, type) : json
}

/** Chat-format pieces, as an OpenAI-like upstream writes them. */
export const chat = {
  delta: (content: string) =>
    sse({ ...chunk, choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  role: () =>
    sse({
      ...chunk,
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    }),
  stop: (reason = 'stop') =>
    sse({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
  usage: (prompt: number, completion: number) =>
    sse({ ...chunk, choices: [], usage: counts(prompt, completion) }),
  done: 'data: [DONE]\n\n',
  whole: (content: string, prompt: number, completion: number) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: counts(prompt, completion),
  }),
}

const chunk = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'gpt-4o-mini',
}

function counts(prompt: number, completion: number) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function sse(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
