/** The dark theme of the component library, fetched where it is dark. */
export { darkTheme } from 'naive-ui'
