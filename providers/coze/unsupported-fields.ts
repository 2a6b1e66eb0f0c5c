/**
 * What a bot cannot take of a call. Its model, its tools and the shape of its answers are its maker's
 * choice, so none of them is expressed; how the model is tuned is left out. Instructions are sent as the user's.
 */
import type { Adapter, Expressible } from '../../kernel/contract/provider.js'
import { somePart } from '../../kernel/toolkit/format/index.js'
import { contentOf } from './content.js'

export const expresses: readonly Expressible[] = ['system', 'image', 'file', 'audio', 'user']

/** Fields of the service's own. */
export const ownFields = ['custom_variables'] as const

const holdsBytes = somePart((part) => part.kind === 'media' && contentOf(part).length === 0)
const instructions: ReadonlySet<string> = new Set(['system', 'developer'])

export const unsupportedFields: Adapter['unsupportedFields'] = (call) => ({
  refuse: holdsBytes(call) ? ['media'] : [],
  report: call.turns.some(({ role }) => instructions.has(role)) ? ['turns.system'] : [],
})
