/** What an operator states of the workflows behind a channel, and which models are workflows. */
import type { JsonObject } from '../../kernel/contract/json.js'

const prefix = 'workflow-'

export function isWorkflow(model: string): boolean {
  return model.startsWith(prefix)
}

export function workflowIn(model: string): string {
  return model.slice(prefix.length)
}

export interface WorkflowSettings {
  /** The parameter that is given the question. */
  readonly question: string
  /** The parameter that is given files. Absent: the workflow takes none. */
  readonly file?: string
  /** That parameter holds one file and no list. */
  readonly takesOne: boolean
  /** The app the workflows belong to. */
  readonly app?: string
  /** The bot on whose behalf they run. */
  readonly bot?: string
}

export function workflowSettings(settings: JsonObject): WorkflowSettings {
  const file = nameIn(settings.workflow_file_input)
  const app = nameIn(settings.app_id)
  const bot = nameIn(settings.bot_id)
  return {
    question: nameIn(settings.workflow_input) ?? 'input',
    takesOne: settings.workflow_file_kind === 'file',
    ...(file !== undefined && { file }),
    ...(app !== undefined && { app }),
    ...(bot !== undefined && { bot }),
  }
}

/** The output that is the answer. Undefined: all of them. */
export function outputNamed(settings: JsonObject | undefined): string | undefined {
  return nameIn(settings?.workflow_output)
}

function nameIn(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.trim() : ''
  return name === '' || name === '__proto__' ? undefined : name
}
