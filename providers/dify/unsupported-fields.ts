/**
 * What an app cannot take of a call. Its model, its tools and the shape of its answers are its maker's
 * choice, so none of them is expressed; how the model is tuned is left out.
 */
import type { Adapter, Expressible } from '../../kernel/contract/provider.js'
import { somePart } from '../../kernel/toolkit/format/index.js'
import { fileOf } from './files.js'

export const expresses: readonly Expressible[] = [
  'system',
  'image',
  'audio',
  'video',
  'file',
  'user',
]

/** Fields of the app's own. */
export const ownFields = ['inputs', 'conversation_id'] as const

const holdsBytes = somePart((part) => part.kind === 'media' && fileOf(part).length === 0)

export const unsupportedFields: Adapter['unsupportedFields'] = (call) => ({
  refuse: holdsBytes(call) ? ['media'] : [],
  report: [],
})
