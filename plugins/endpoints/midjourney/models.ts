/** The model a request is priced as: `mj_` and what is done, which some requests state in a code of the upstream. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'

/** By the last word of the path, where that is enough. */
const ofPath: Readonly<Record<string, string>> = {
  imagine: 'mj_imagine',
  modal: 'mj_modal',
  describe: 'mj_describe',
  blend: 'mj_blend',
  shorten: 'mj_shorten',
  edits: 'mj_edits',
  video: 'mj_video',
  'upload-discord-images': 'mj_upload',
  swap: 'swap_face',
}

/** By the button that is pressed: the first that matches. */
const ofButton: readonly (readonly [pattern: RegExp, model: string])[] = [
  [/::upsample/i, 'mj_upscale'],
  [/::low_variation/i, 'mj_low_variation'],
  [/::high_variation/i, 'mj_high_variation'],
  [/::variation/i, 'mj_variation'],
  [/::reroll/i, 'mj_reroll'],
  [/::pan_/i, 'mj_pan'],
  [/::CustomZoom/i, 'mj_custom_zoom'],
  [/::Outpaint/i, 'mj_zoom'],
  [/::Inpaint/i, 'mj_inpaint'],
  [/::animate_/i, 'mj_video'],
]

/** A button nobody knows yet: it has a price only where the operator sets one. */
const unknownButton = 'mj_action'

const ofLetter: Readonly<Record<string, string>> = {
  U: 'mj_upscale',
  V: 'mj_variation',
  R: 'mj_reroll',
}

export const changes = ['UPSCALE', 'VARIATION', 'REROLL'] as const

/** Undefined: the path names nothing that is served. The fields were checked. */
export function modelOf(action: string, { action: change, content, customId }: JsonObject) {
  if (action === 'change') return `mj_${String(change).toLowerCase()}`
  if (action === 'simple-change') return ofLetter[simpleChange(content)?.letter ?? '']
  if (action === 'action') return modelOfButton(String(customId))
  return Object.hasOwn(ofPath, action) ? ofPath[action] : undefined
}

function modelOfButton(customId: string): string {
  return ofButton.find(([pattern]) => pattern.test(customId))?.[1] ?? unknownButton
}

export interface SimpleChange {
  readonly taskId: string
  /** `U`, `V` or `R`. */
  readonly letter: string
}

/** `<id> U1`. Undefined: it is none. */
export function simpleChange(content: Json | undefined): SimpleChange | undefined {
  const found = /^\s*(\S{1,128})\s+(?:([UV])[1-4]|(R))\s*$/i.exec(
    typeof content === 'string' ? content : '',
  )
  if (found === null) return undefined
  const [, taskId = '', numbered, again] = found
  return { taskId, letter: (numbered ?? again ?? '').toUpperCase() }
}
