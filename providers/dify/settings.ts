/** What an operator states of the app behind a channel: which kind it is, and which of its inputs are asked. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'

export type AppKind = 'chat' | 'workflow' | 'completion'

/** A channel from before it was asked serves a chat. */
export function servesApp(kind: AppKind): NonNullable<Adapter['serves']> {
  return ({ settings }) => (settings.app ?? 'chat') === kind
}

export interface AppInputs {
  /** The variable that is given the question. */
  readonly question: string
  /** The variable that is given the files. Absent: they stand beside the inputs. */
  readonly file?: string
  /** That variable holds one file and no list. */
  readonly takesOne: boolean
}

export function inputsOf(settings: JsonObject): AppInputs {
  const file = nameIn(settings.file_input)
  return {
    question: nameIn(settings.input) ?? 'query',
    ...(file !== undefined && { file }),
    takesOne: file !== undefined && settings.file_input_kind === 'file',
  }
}

/** The output of a workflow that is its answer. Undefined: the likeliest. */
export function outputNamed(settings: JsonObject | undefined): string | undefined {
  return nameIn(settings?.output)
}

function nameIn(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim() : ''
  return name === '' || name === '__proto__' ? undefined : name
}
