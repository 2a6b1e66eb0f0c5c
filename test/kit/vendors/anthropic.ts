import { contextNeedsBeta, noSampling, systemTurns } from './claude.js'
import type { Vendor } from './vendor.js'

/** Newer and older models: all refuse sampling here, and the older one turns of instructions. */
export const anthropic: Vendor = {
  name: 'Anthropic',
  type: 14,
  key: 'sk-ant',
  models: ['claude-opus-5', 'claude-opus-4-7'],
  rules: [contextNeedsBeta, noSampling, systemTurns],
  takes: ['context_management'],
}
