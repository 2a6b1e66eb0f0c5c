/** Where calls go. The documentation gives the base with the mode or without; both are the same place. */
import { normalBase } from '../../kernel/toolkit/provider/index.js'

const mode = /\/compatible-mode$/

export function urlOf(baseUrl: string, path: string): string {
  return `${normalBase(baseUrl).replace(mode, '')}${path}`
}
