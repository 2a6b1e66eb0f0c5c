import type { Recorded } from '../upstream.js'

export interface SaidCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** The item of the responses format where a tool of another kind than a function was offered. */
  readonly own?: Readonly<Record<string, unknown>>
}

/** What a model says in one answer. */
export interface Said {
  readonly thought?: string
  readonly text?: string
  readonly calls?: readonly SaidCall[]
}

export interface Form {
  readonly streamType?: string
  whole(said: Said, request: Recorded): unknown
  stream(said: Said, request: Recorded): readonly (string | Buffer)[]
}

export const counts = { input: 10, output: 2 }

/** Arguments as JSON, in two pieces as they are streamed. */
export function piecesOf(input: unknown): readonly string[] {
  const json = JSON.stringify(input)
  const middle = Math.ceil(json.length / 2)
  return [json.slice(0, middle), json.slice(middle)].filter((piece) => piece !== '')
}

export function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

export function event(name: string, value: unknown): string {
  return `event: ${name}\n${data(value)}`
}
