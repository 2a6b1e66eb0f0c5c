/** The order of the line. Everything a relayed request goes through stands in this one expression. */
import { line } from '../../kernel/toolkit/stage/index.js'

export const order = line('auth', 'route-plan')
  .attempt('channel-pick', 'mapping', 'override', 'pre-consume', 'upstream')
  .deliver()
  .always('settle')
