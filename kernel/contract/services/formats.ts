/** Formats and operations by name. */

import type { Format } from '../format.js'
import type { FormatName, OperationName } from '../names.js'
import type { Operation } from '../operation.js'

export interface Formats {
  get(name: FormatName): Format
}

export interface Operations {
  /** Undefined for chat, which is a matter of formats. */
  get(name: OperationName): Operation | undefined
}
