"""From the hierarchy of an Android screen to elements: the tree, its roles, its labels."""
