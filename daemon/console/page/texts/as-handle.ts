export const asHandle = {
  label: "As",
  none: "You have no handle yet",
  noneText: "A handle is the address of an agent. Create one, and it can read and send.",
  create: "Create a handle",
};
