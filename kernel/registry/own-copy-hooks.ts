/**
 * How modules of plugins from outside find others, as hooks of Node.js' loader of modules. `waybill/…` is the copy that runs, since
 * an error class of a second copy would be another class. What a module that was loaded again imports of its own folder is loaded
 * again with it. May run in a thread of its own, so it imports nothing.
 */

interface Context {
  readonly parentURL?: string
}

type Resolve = (
  specifier: string,
  context: Context,
) => { readonly url: string } | Promise<{ readonly url: string }>

/** A URL within this package, which resolves its own name by its `exports`. */
let own = ''

export function initialize(data: { readonly own: string }): void {
  own = data.own
}

export function resolve(specifier: string, context: Context, next: Resolve): ReturnType<Resolve> {
  if (specifier.startsWith('waybill/')) return next(specifier, { ...context, parentURL: own })
  const again = /^\.\.?\//.test(specifier) && /[?&]again=\d+$/.exec(context.parentURL ?? '')
  if (!again) return next(specifier, context)
  const marked = (found: { readonly url: string }) => ({
    ...found,
    url: found.url.includes('?') ? found.url : `${found.url}?${again[0].slice(1)}`,
  })
  const found = next(specifier, context)
  return found instanceof Promise ? found.then(marked) : marked(found)
}
