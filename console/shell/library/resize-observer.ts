/** In the place of an imitation that the component library brings for browsers without one. */
export const ResizeObserver = globalThis.ResizeObserver
