/** Puts the hooks of `own-copy-hooks.ts` in place, once a process: where there are plugins from outside. */
import * as nodeModule from 'node:module'
import { initialize, resolve } from './own-copy-hooks.js'

/** Hooks in the thread that imports, which newer versions of Node.js have. */
interface SynchronousHooks {
  registerHooks?(hooks: { readonly resolve: typeof resolve }): unknown
}

let isDone = false

export function resolveOwnName(): void {
  if (isDone) return
  isDone = true
  const own = import.meta.url
  const { registerHooks } = nodeModule as SynchronousHooks
  if (registerHooks !== undefined) {
    initialize({ own })
    registerHooks({ resolve })
    return
  }
  nodeModule.register('./own-copy-hooks.js', { parentURL: own, data: { own } })
}
