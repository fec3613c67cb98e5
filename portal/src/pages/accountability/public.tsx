export { ObjectName } from "./object-name.tsx";
export { Person } from "./person.tsx";
export { SecondLook } from "./second-look.tsx";
export { Stopped } from "./stopped.tsx";
