/** A path of the router as OpenAPI spells it. A parameter that may be left out makes two paths of one. */
import { routePath } from '../../../../kernel/toolkit/management/index.js'

export interface PathForm {
  readonly path: string
  readonly parameters: readonly PathParameter[]
}

interface PathParameter {
  readonly name: string
  /** It may hold slashes. */
  readonly wide: boolean
}

/** Both slash forms are served, so the trailing slash means nothing. The form with every parameter comes first. */
export function pathForms(path: string): readonly PathForm[] {
  const plain = routePath(path)
  const whole = formOf(plain)
  const optional = /^(.*)\/\{\w+\?\}$/.exec(plain)
  return optional?.[1] === undefined ? [whole] : [whole, formOf(optional[1] || '/')]
}

function formOf(path: string): PathForm {
  const parameters = [...path.matchAll(parameter)].map(([, name = '', rest = '']) => ({
    name,
    wide: rest.startsWith('*'),
  }))
  return { path: path.replace(parameter, '{$1}'), parameters }
}

/** `{name}`, `{name?}`, `{name*}` or `{name*2}`. */
const parameter = /\{(\w+)(\?|\*\d*)?\}/g
