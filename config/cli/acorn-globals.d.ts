/** The package has no types of its own. */
declare module 'acorn-globals' {
  interface GlobalUse {
    readonly name: string
    /** Every place it is used at. */
    readonly nodes: readonly { readonly loc?: { readonly start: { readonly line: number } } }[]
  }
  interface Options {
    readonly sourceType: 'module' | 'script'
    readonly ecmaVersion: 'latest'
    /** Places have lines. */
    readonly locations: boolean
  }
  /** Throws a `SyntaxError`. */
  export default function findGlobals(text: string, options: Options): readonly GlobalUse[]
}
