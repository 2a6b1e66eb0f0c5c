/** A conversation: the questions, the answer of each model, and the messages a model is sent next. */

export interface Picture {
  readonly name: string
  /** A data URL; empty: it was too large to be kept over a reload. */
  readonly url: string
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, as far as it has come. */
  readonly arguments: string
}

export interface Usage {
  readonly prompt: number
  readonly completion: number
  readonly cached?: number
  readonly reasoning?: number
}

export interface Failure {
  readonly sentence: string
  readonly code: string
  /** HTTP status; 0: there was none, or the stream had begun already. */
  readonly status: number
  /** Unix milliseconds before which this is not to be tried again (LIMIT-8). */
  readonly retryAt?: number
}

type AnswerState = 'running' | 'done' | 'stopped' | 'failed'

export interface Answer {
  readonly model: string
  readonly group: string
  readonly state: AnswerState
  readonly text: string
  readonly reasoning: string
  /** Time the reasoning took; undefined while it goes on. */
  readonly reasoningMs?: number
  readonly refusal: string
  readonly calls: readonly ToolCall[]
  readonly finish: string
  readonly usage?: Usage
  /** From sending to the first content. */
  readonly firstMs?: number
  readonly totalMs?: number
  readonly requestId: string
  /** Quota the request cost, as text; undefined: the log has no row of it yet. */
  readonly charge?: string
  readonly failure?: Failure
}

export interface Turn {
  readonly id: string
  readonly text: string
  readonly pictures: readonly Picture[]
  /** By column. */
  readonly answers: Readonly<Record<string, Answer>>
}

export function newAnswer(model: string, group: string): Answer {
  return {
    ...{ model, group, state: 'running', text: '', reasoning: '', refusal: '' },
    ...{ calls: [], finish: '', requestId: '' },
  }
}

export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly WirePart[]
}

type WirePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** The messages sent to the model of a column: a column added later goes on from the answers of another. */
export function messagesOf(
  turns: readonly Turn[],
  column: string,
  system: string,
): readonly WireMessage[] {
  const messages: WireMessage[] = system.trim() === '' ? [] : [{ role: 'system', content: system }]
  for (const [index, turn] of turns.entries()) {
    messages.push({ role: 'user', content: contentOf(turn) })
    const answer = turn.answers[column] ?? Object.values(turn.answers)[0]
    const isLast = index === turns.length - 1
    if (!isLast && answer?.text && answer.state !== 'running') {
      messages.push({ role: 'assistant', content: answer.text })
    }
  }
  return messages
}

function contentOf({ text, pictures }: Turn): WireMessage['content'] {
  const kept = pictures.filter(({ url }) => url !== '')
  if (kept.length === 0) return text
  const parts: WirePart[] = kept.map(({ url }) => ({ type: 'image_url', image_url: { url } }))
  return text === '' ? parts : [{ type: 'text', text }, ...parts]
}
